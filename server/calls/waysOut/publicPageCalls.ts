/** /p/{random}: a public page of one route, area or feeds, or of one alert. */
import type { FastifyReply } from 'fastify';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import { SHARING_LIMITS } from '#contract/watches/sharing.ts';
import { networkOf } from '../../accounts/passwords/loginLimits.ts';
import { addresses } from '../../watches/sharedAddresses.ts';
import { teams } from '../../accounts/teams.ts';
import { endedPage, pageOf, pagePolicy } from '../../delivery/publicPages/publicPageHtml.ts';
import { alertPageOf, watchPageOf } from '../../delivery/publicPages/publicPageContent.ts';
import { refuseUnknownParameters } from '../../http/calls/input.ts';
import { perMinute } from '../../http/limits/requestLimits.ts';
import { tooMany } from '../../refusals.ts';
import { secretHash } from './sharingCalls.ts';

const BUSY = 'This address is asked too often. Try again in a minute.';

export const publicPageCalls: Calls = (parts) => async (app) => {
  const { db, config, now } = parts;
  refuseUnknownParameters(app);
  const mayAddress = perMinute(SHARING_LIMITS.requestsPerAddress, now);
  const mayNetwork = perMinute(SHARING_LIMITS.requestsPerNetwork, now);

  const send = (reply: FastifyReply, text: string, hosts: readonly string[]) => {
    // The content policy names the hosts that may frame the page; the older header cannot list hosts.
    if (hosts.length > 0) reply.removeHeader('x-frame-options');
    return reply
      .header('content-security-policy', pagePolicy(hosts))
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex, nofollow')
      .type('text/html; charset=utf-8')
      .send(text);
  };

  app.get('/:random', {
    who: 'anyone',
    costs: 'export',
    types: ['text/html'],
    meanings: { 200: 'The page.', 404: 'It has ended, or never was: a page that says so.' },
    refusals: { 429: BUSY },
    operationId: 'readPublicPage',
    summary: 'A public page',
    description:
      'For people without an account, and for frames on the hosts that the team lists. Incidents alone: no typed ' +
      'names, notes, people or jobs, no other routes, and no reports of a team. It says its age and which sources are silent.',
    params: z.object({
      random: z.string().max(100).meta({ description: 'The secret.', example: 'w9J…' }),
    }),
    handler: async (request, reply) => {
      const hash = secretHash(request.params.random);
      if (!mayNetwork(networkOf(request.ip)) || !mayAddress(hash)) throw tooMany(BUSY, 60);
      const at = now();
      const open = await addresses(db).opened(hash, at);
      const isPage = open?.form === 'page' && open.expires_at !== null;
      const about = isPage && { teamId: open.team_id, ends: new Date(open.expires_at!), at };
      const page =
        about &&
        (open.watch_id !== null
          ? await watchPageOf(parts, open.watch_id, about)
          : await alertPageOf(parts, open.event_id!, about)); // one of the two
      if (!page || !isPage) return send(reply.code(404), endedPage(), []);
      return send(reply, pageOf(page), await teams(db, config.teams).frameHosts(open.team_id));
    },
  });
};
