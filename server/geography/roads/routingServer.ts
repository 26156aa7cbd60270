/** The operator's own routing server: the line that a vehicle would take between places, in their order. OSRM's
 *  protocol: https://project-osrm.org/docs/v5.24.0/api/#route-service */
import { z } from 'zod';
import { downloader, userAgent } from '../../http/documents/download.ts';
import type { LonLat } from './roadTable.ts';

export const NO_ROUTER_ANSWER = 'The router did not answer. Draw it, or name the junctions.';
export const NO_ROUTER = 'This server has no router. Draw it, or name the junctions.';

const TIMEOUT_MS = 15_000;
/** The largest answer. A line from Land's End to John o' Groats has a tenth of it. */
const MAX_BYTES = 8 * 1024 * 1024;

const Answer = z.object({
  code: z.literal('Ok'),
  routes: z
    .array(
      z.object({
        geometry: z.object({
          type: z.literal('LineString'),
          coordinates: z.array(z.tuple([z.number(), z.number()])).min(2),
        }),
      }),
    )
    .min(1),
});

export interface Router {
  /** Null when it does not answer with a line. */
  lineThrough(points: readonly LonLat[]): Promise<LonLat[] | null>;
}

export function osrmRouter({
  url,
  contactEmail,
  log,
}: {
  url: string;
  contactEmail: string;
  log: { warn(facts: object, message: string): void };
}): Router {
  return {
    async lineThrough(points) {
      // A new one each time, because nobody asks for the same line again, and it would keep every body.
      const { get } = downloader({
        userAgent: userAgent(contactEmail),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      }).newGet();
      try {
        const { body } = await get(addressOf(url, points), { accept: 'application/json' });
        const [route] = Answer.parse(JSON.parse(body)).routes;
        return route!.geometry.coordinates; // there is one
      } catch (error) {
        // The log does not name the places, because routes are only for the team.
        log.warn(
          { reason: error instanceof z.ZodError ? 'no line' : 'no answer' },
          'ROUTER_URL does not answer with a line',
        );
        return null;
      }
    },
  };
}

const addressOf = (url: string, points: readonly LonLat[]) =>
  `${url.replace(/\/$/, '')}/route/v1/driving/${points.map(([x, y]) => `${x},${y}`).join(';')}` +
  '?overview=full&geometries=geojson&steps=false';
