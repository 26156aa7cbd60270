import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_SOURCES } from '#contract/feeds/knownSources.ts';
import { COLLECTORS } from '../../../server/sources/allSources.ts';
import type { Collected, Collector } from '../../../server/incidents/collector.ts';
import { downloader, type Downloader } from '../../../server/http/documents/download.ts';
import { startReplay, type Replay } from '../../../server/operate/replay.ts';
import { memoryFacts } from '../../support/upstream.ts';

const STEP_MS = 40_000;

let clock: Date;
let replay: Replay;
let download: Downloader;
beforeEach(async () => {
  clock = new Date('2026-11-21T09:00:00Z');
  replay = await startReplay({ stepSeconds: 0, now: () => clock });
  download = downloader();
});
afterEach(() => replay.close());

/** One poll in the way of the schedule. */
async function poll(collector: Collector): Promise<Collected & { notModified: boolean }> {
  const { get, allNotModified } = download.newGet();
  const settings = Object.fromEntries(collector.settings.map(({ name }) => [name, replay.settings[name]]));
  const collected = await collector.collect({ get, now: clock, settings, facts: memoryFacts() });
  return { ...collected, notModified: allNotModified() };
}

function step(): void {
  clock = new Date(clock.getTime() + STEP_MS);
  replay.step();
}

/** The source's alerts in every scene of one round, by id; null: it does not answer. */
async function round(collector: Collector): Promise<(Map<string, string> | null)[]> {
  const scenes: (Map<string, string> | null)[] = [];
  for (let scene = 0; scene < replay.length(collector.source); scene++) {
    if (scene > 0) step();
    const found = await poll(collector).catch(() => null);
    const alerts = found?.records.filter(({ kind }) => kind === 'alert') ?? [];
    scenes.push(
      found && new Map(alerts.map(({ event_id, severity, phase }) => [event_id, `${severity} ${phase}`])),
    );
  }
  return scenes;
}

const RANK = ['low', 'medium', 'high', 'critical'];
const rank = (state: string | undefined) => RANK.indexOf(state?.split(' ')[0] ?? '');

describe('replay', () => {
  it('has 4 to 6 scenes of every source of the directory, and settings for every collector', () => {
    const sources = Object.keys(KNOWN_SOURCES).sort();
    expect(COLLECTORS.map(({ source }) => source).sort()).toEqual(sources);
    expect(Object.keys(replay.scenes()).sort()).toEqual(sources);
    for (const { source, settings } of COLLECTORS) {
      expect(replay.length(source)).toBeGreaterThanOrEqual(4);
      expect(replay.length(source)).toBeLessThanOrEqual(6);
      for (const { name, required } of settings) if (required) expect(replay.settings[name]).toBeTruthy();
    }
  });

  it('begins with active alerts of every source', async () => {
    for (const collector of COLLECTORS) {
      const { records } = await poll(collector);
      const active = records.filter(({ kind, phase }) => kind === 'alert' && phase === 'active');

      expect(active.length, collector.source).toBeGreaterThan(0);
    }
  });

  it.each(COLLECTORS.map((collector) => [collector.source, collector] as const))(
    'plays %s in its own format: every scene is read whole',
    async (source, collector) => {
      for (let scene = 0; scene < replay.length(source); scene++) {
        if (scene > 0) step();
        const name = replay.scenes()[source];
        if (name?.endsWith('unavailable')) {
          await expect(poll(collector)).rejects.toThrow(
            'answered 503 (service unavailable), asks to wait 10 s',
          );
        } else {
          const { problems, skipped, complete } = await poll(collector);
          expect({ name, problems, skipped, complete }).toEqual({
            name,
            problems: [],
            skipped: 0,
            complete: true,
          });
        }
      }
    },
  );

  it.each(COLLECTORS.map((collector) => [collector.source, collector] as const))(
    'lets alerts of %s appear, worsen, ease and end in every round',
    async (_, collector) => {
      const scenes = (await round(collector)).filter((scene) => scene !== null);
      const pairs = scenes
        .slice(1)
        .map((after, at) => ({ before: scenes[at] as Map<string, string>, after }));
      const some = (is: (before: string | undefined, after: string | undefined) => boolean) =>
        pairs.some(({ before, after }) =>
          [...new Set([...before.keys(), ...after.keys()])].some((id) => is(before.get(id), after.get(id))),
        );

      expect({
        appears: some((before, after) => before === undefined && after !== undefined),
        worsens: some((before, after) => before !== undefined && rank(after) > rank(before)),
        eases: some((before, after) => after !== undefined && rank(after) < rank(before)),
        ends: some((before, after) => before !== undefined && after === undefined),
      }).toEqual({ appears: true, worsens: true, eases: true, ends: true });
      // The list is never empty: the board has something to show at any time.
      expect(Math.min(...scenes.map(({ size }) => size))).toBeGreaterThan(0);
    },
  );

  it('lets one source fail for a scene, and come back', async () => {
    const away: { source: string; at: number; last: number }[] = [];
    for (const collector of COLLECTORS) {
      const { source } = collector;
      const last = replay.length(source) - 1;
      for (let scene = 0; scene < last && !replay.scenes()[source]!.startsWith('01-'); scene++) step();
      const scenes = await round(collector);
      away.push(...scenes.flatMap((scene, at) => (scene ? [] : [{ source, at, last }])));
    }

    expect(away).not.toEqual([]);
    expect(new Set(away.map(({ source }) => source)).size).toBe(away.length);
    expect(away.filter(({ at, last }) => at === 0 || at === last)).toEqual([]);
  });

  it('shows a warning before it is in force', async () => {
    const metOffice = COLLECTORS.find(({ source }) => source === 'met-office') as Collector;
    const states = (await round(metOffice)).map((scene) => scene?.get('met-office:5c1e7a90'));

    expect(states).toEqual([
      'high planned',
      'high planned',
      'high planned',
      'high active',
      'high active',
      undefined,
    ]);
  });

  it('reports airports from both of their services', async () => {
    const airports = COLLECTORS.find(({ source }) => source === 'airport-status') as Collector;
    const scenes = await round(airports);

    expect(scenes.map((scene) => scene?.get('airport-status:EGPH:wx'))).toEqual([
      'low active',
      'low active',
      'medium active',
      'medium active',
      'low active',
      'low active',
    ]);
    expect(scenes.map((scene) => scene?.get('airport-status:EGNM:delay'))).toEqual([
      undefined,
      undefined,
      'critical active',
      'critical active',
      'high active',
      'medium active',
    ]);
  });

  it('closes the M62 and opens it again', async () => {
    const roads = COLLECTORS.find(({ source }) => source === 'national-highways') as Collector;
    const states = (await round(roads)).map((scene) => scene?.get('national-highways:replay-500214'));

    expect(states).toEqual([
      'high active',
      'critical active',
      'critical active',
      'critical active',
      'medium active',
      undefined,
    ]);
  });

  it('answers an unchanged scene with 304, and keeps the times of what did not change', async () => {
    const tfl = COLLECTORS.find(({ source }) => source === 'tfl') as Collector;
    const start = async () => {
      const { records, notModified } = await poll(tfl);
      return { at: records.find(({ event_id }) => event_id === 'tfl:piccadilly')?.start_time, notModified };
    };

    expect(await start()).toEqual({ at: '2026-11-21T08:48:00.000Z', notModified: false });
    clock = new Date(clock.getTime() + 5000);
    expect(await start()).toEqual({ at: '2026-11-21T08:48:00.000Z', notModified: true });
    step();
    expect(await start()).toEqual({ at: '2026-11-21T08:48:00.000Z', notModified: false });
  });

  it('begins again with new times after the last scene', async () => {
    const tfl = COLLECTORS.find(({ source }) => source === 'tfl') as Collector;
    const first = replay.scenes();
    for (let scene = 0; scene < replay.length('tfl'); scene++) step();

    expect(replay.scenes()).toEqual(first);
    const { records } = await poll(tfl);
    expect(records.find(({ event_id }) => event_id === 'tfl:piccadilly')?.start_time).toBe(
      '2026-11-21T08:52:00.000Z',
    );
  });

  it('never reports a change that lies ahead', async () => {
    for (const collector of COLLECTORS) {
      for (let scene = 0; scene < replay.length(collector.source); scene++) {
        const found = await poll(collector).catch(() => null);
        for (const { event_id, updated_at } of found?.records ?? []) {
          expect(Date.parse(updated_at ?? '2000-01-01'), event_id).toBeLessThanOrEqual(clock.getTime());
        }
        step();
      }
    }
  });

  it('insists on the keys, as the real sources do, and answers no other path', async () => {
    const { get } = downloader().newGet();

    await expect(get(replay.settings.RDM_NSI_URL as string)).rejects.toThrow('answered 401');
    await expect(get(`${replay.settings.NATIONAL_HIGHWAYS_URL}?closureType=planned`)).rejects.toThrow(
      'answered 401',
    );
    await expect(get(`${replay.settings.EA_FLOOD_URL}Areas/../../../../package`)).rejects.toThrow(
      'answered 404',
    );
    await expect(get(`${replay.settings.BODS_URL}?api_key=mine`)).rejects.toThrow('answered 401');
    await expect(get(replay.settings.AERODATABOX_URL as string)).rejects.toThrow('answered 401');
    await expect(get(`${replay.settings.TFL_URL}/more`)).rejects.toThrow('answered 404');
    await expect(
      get(replay.settings.NATIONAL_HIGHWAYS_URL as string, { 'Ocp-Apim-Subscription-Key': 'replay' }),
    ).rejects.toThrow('answered 400');
  });

  it('survives an invalid address', async () => {
    const { hostname, port } = new URL(replay.settings['TFL_URL']!);
    const status = (path: string) =>
      new Promise((resolve, reject) => {
        request({ hostname, port, path }, (reply) => resolve(reply.resume().statusCode))
          .on('error', reject)
          .end();
      });

    expect(await status('/tfl/%')).toBe(404);
    expect(await status('//')).toBe(404);
    expect((await fetch(replay.settings['TFL_URL']!)).status).toBe(200);
  });
});

describe('replay by itself', () => {
  it('moves the sources on one after another, never two at one moment', async () => {
    const moving = await startReplay({ stepSeconds: 0.05 });
    try {
      const seen: string[] = [];
      let last = moving.scenes();
      const order = Object.keys(last);
      while (seen.length < 2 * order.length) {
        await new Promise(setImmediate);
        const next = moving.scenes();
        seen.push(...Object.keys(next).filter((source) => next[source] !== last[source]));
        last = next;
      }

      expect(order.toSorted()).toEqual(Object.keys(KNOWN_SOURCES).sort());
      expect(seen).toEqual([...order, ...order]);
    } finally {
      await moving.close();
    }
  });
});
