/** /config.json: settings that an operator can change without rebuilding the app. Public: read before sign-in. */
import type { Calls } from '../callParts.ts';
import { RuntimeConfig } from '#contract/runtimeConfig.ts';
import { vapidKeys } from '../../delivery/outbox/channelSeal.ts';

export const configCalls: Calls =
  ({ config, secrets }) =>
  async (app) => {
    const { publicKey } = vapidKeys(secrets);
    app.get('/config.json', {
      who: 'anyone',
      operationId: 'readConfig',
      summary: 'Run-time settings of the app',
      description: 'What an operator can change without building the app again.',
      response: { 200: RuntimeConfig },
      handler: async (_request, reply) => {
        reply.header('cache-control', 'no-cache');
        return {
          contact_email: config.contactEmail,
          tile_url: config.tileUrl,
          tile_attribution: config.tileAttribution,
          push_key: publicKey,
          router: config.routerUrl !== undefined,
          ...(config.replay && { replay: true }),
        };
      },
    });
  };
