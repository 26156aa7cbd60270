/** /config.json: settings that an operator can change without rebuilding the app. Public: read before sign-in. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { RuntimeConfig } from '#contract/runtimeConfig.ts';
import type { Config } from '../../config.ts';
import { vapidKeys } from '../../delivery/outbox/channelSeal.ts';
import type { Secrets } from '../../accounts/secrets.ts';

export const configCalls =
  ({
    config,
    secrets,
  }: {
    secrets: Secrets;
    config: Pick<Config, 'contactEmail' | 'tileUrl' | 'replay' | 'tileAttribution' | 'routerUrl'>;
  }): FastifyPluginAsyncZod =>
  async (app) => {
    const { publicKey } = vapidKeys(secrets);
    app.get('/config.json', {
      who: 'anyone',
      costs: 'little',
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
