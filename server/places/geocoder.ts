/** Finding a place by its name or postcode: in our own gazetteer, or by the server that the operator has set. */
import type { LocationSuggestions } from '#contract/geocode.ts';
import { searchEmbedded } from './embedded.ts';
import { OSM_ATTRIBUTION, upstreamGeocoder, type GeocoderKind } from './upstream.ts';

export interface GeocoderConfig {
  /** Without a server of the operator's own the gazetteer alone answers. */
  geocoder?: { url: string; kind?: GeocoderKind };
  contactEmail: string;
  replay: boolean;
}

export interface Geocoder {
  /** The best first, at most `limit`. Never fails: what the upstream cannot answer our gazetteer does. */
  search(query: string, limit: number): Promise<LocationSuggestions>;
}

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** After a failure the upstream is left alone for so long: nobody waits for it with every letter. */
const PAUSE_MS = 30_000;
const KEPT_ANSWERS = 500;
const KEPT_MS = 60 * 60_000;

export function geocoder({
  config: { geocoder: settings, contactEmail, replay },
  now,
  log,
}: {
  config: GeocoderConfig;
  now: () => Date;
  log: Log;
}): Geocoder {
  // The replay needs no internet.
  if (!settings || replay) return { search: async (query, limit) => searchEmbedded(query, limit) };

  const upstream = upstreamGeocoder({ ...settings, contactEmail, log });
  const kept = new Map<string, { answer: LocationSuggestions; until: number }>();
  let askAgainAt = 0;
  let isFailing = false;

  async function ask(query: string, limit: number): Promise<LocationSuggestions | null> {
    try {
      const results = await upstream.search(query, limit);
      if (isFailing) log.info({}, 'GEOCODER_URL answers again');
      isFailing = false;
      return { results, attribution: OSM_ATTRIBUTION };
    } catch (error) {
      askAgainAt = now().getTime() + PAUSE_MS;
      const reason = error instanceof Error ? error.message : String(error);
      if (!isFailing) {
        log.warn({ reason }, 'GEOCODER_URL does not answer: places are searched in the embedded gazetteer');
      }
      isFailing = true;
      return null;
    }
  }

  return {
    async search(query, limit) {
      // Less than two letters is nobody's question.
      if (query.replace(/[^\p{L}\d]/gu, '').length < 2) return searchEmbedded(query, limit);
      const key = `${limit} ${query.toLowerCase()}`;
      const at = now().getTime();
      const known = kept.get(key);
      if (known && at < known.until) return known.answer;
      if (at < askAgainAt) return searchEmbedded(query, limit);

      const asked = await ask(query, limit);
      // What it does not know our gazetteer may.
      if (!asked || asked.results.length === 0) return searchEmbedded(query, limit);
      // A map remembers the order of setting: the first is the oldest.
      kept.delete(key);
      kept.set(key, { answer: asked, until: at + KEPT_MS });
      if (kept.size > KEPT_ANSWERS) kept.delete(kept.keys().next().value!);
      return asked;
    },
  };
}
