/** Finds places by name or postcode, in our own gazetteer or with the operator's geocoding server. */
import type { LocationSuggestions } from '#contract/places/geocode.ts';
import { embeddedPlaces, searchEmbedded } from './placeSearch.ts';
import { OSM_ATTRIBUTION, upstreamGeocoder, type GeocoderKind } from './geocodingServer.ts';

interface GeocoderConfig {
  /** Absent: only the gazetteer answers. */
  geocoder?: { url: string; kind?: GeocoderKind };
  contactEmail: string;
  replay: boolean;
}

export interface Geocoder {
  /** Best first, at most `limit`. Never fails: if the server cannot answer, our gazetteer does. */
  search(query: string, limit: number): Promise<LocationSuggestions>;
}

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** How long after a failure the server is not asked, because nobody should wait for it at every letter. */
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
  // Replay must need no internet access.
  if (!settings || replay) return { search: embedded };

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
      // Fewer than two letters are not worth a request.
      if (query.replace(/[^\p{L}\d]/gu, '').length < 2) return searchEmbedded(query, limit);
      const key = `${limit} ${query.toLowerCase()}`;
      const at = now().getTime();
      const known = kept.get(key);
      if (known && at < known.until) return known.answer;
      // If the time is further ahead than a pause, the clock was set back.
      if (at < askAgainAt && askAgainAt - at <= PAUSE_MS) return embedded(query, limit);

      const asked = await ask(query, limit);
      // Our gazetteer can know a place that the server does not know.
      if (!asked || asked.results.length === 0) return embedded(query, limit);
      // A map keeps the order of insertion, so the first is the oldest.
      kept.delete(key);
      kept.set(key, { answer: asked, until: at + KEPT_MS });
      if (kept.size > KEPT_ANSWERS) kept.delete(kept.keys().next().value!);
      return asked;
    },
  };
}

async function embedded(query: string, limit: number): Promise<LocationSuggestions> {
  await embeddedPlaces();
  return searchEmbedded(query, limit);
}
