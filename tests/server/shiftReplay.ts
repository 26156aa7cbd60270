/** Fourteen routes with a departure each quarter of an hour, over the replay: the real app, polls and matching, and a clock. */
import { expect } from 'vitest';
import type { TellMe } from '#contract/watches/tellMe.ts';
import { COLLECTORS } from '../../server/sources/allSources.ts';
import { example } from '../../server/calls/reference/examples.ts';
import { startSchedule } from '../../server/sources/polling/pollRunners.ts';
import { startMatching } from '../../server/watches/matching/matching.ts';
import { matchingState } from '../../server/watches/matching/matchingState.ts';
import { downloader } from '../../server/http/documents/download.ts';
import { type Replay, startReplay } from '../../server/operate/replay.ts';
import { openTestApp, type TestApp } from './app/testApp.ts';
import { roadLeg } from './watches/matching/rules/matchingWorld.ts';

const { watchRequest } = example;

/** The first six run where the scenes have incidents in force. */
export const SHIFT_LEGS = [
  'M62 J18 to J29',
  'M62 J29 to J18',
  'M74 J22 to J7',
  'M4 J24 to J29',
  'M8 J26 to J15',
  'M25 J7 to J15',
  'M1 J5 to J10',
  'M1 J10 to J5',
  'M40 J1 to J8',
  'M11 J4 to J12',
  'M3 J14 to J2',
  'M5 J30 to J17',
  'M23 J7 to J11',
  'M20 J10 to J7',
];

/** Minutes. */
export const POLLED_EVERY = 10;

export interface ShiftReplay {
  test: TestApp;
  replay: Replay;
  /** Entries logged as errors. */
  faults: unknown[];
  log: { error(fields: object): void };
  /** Every source is asked, and all routes are matched. */
  collect(): Promise<void>;
  close(): Promise<void>;
}

const clockAt = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 16);

/** Rosa made the routes. `tellMe`: the settings of her messages for each. */
export async function openShiftReplay({ tellMe }: { tellMe?: TellMe } = {}): Promise<ShiftReplay> {
  const test = await openTestApp();
  const { now } = test;
  const user = await test.addUser();
  const replay = await startReplay({ stepSeconds: 0, now });
  const faults: unknown[] = [];
  const log = { info() {}, warn() {}, error: (fields: object) => void faults.push(fields) };
  const owner = 'the only node';
  const schedule = startSchedule({
    db: test.db,
    collectors: COLLECTORS,
    settings: replay.settings,
    download: downloader(),
    now,
    random: () => 1,
    log: { info() {}, warn() {}, error() {} }, // in some scenes an upstream is down
    owner,
  });
  const matching = startMatching({
    db: test.db,
    now,
    log,
    owner,
    open() {
      const state = matchingState();
      return { ask: async (step) => state.take(step), close: async () => {} };
    },
  });
  const { access_token } = await test.signIn(user);
  for (const [index, leg] of SHIFT_LEGS.entries()) {
    // Twenty for each route, which is the most; some begin before the shift, and some end in it.
    const first = 7 * 60 + index * 25;
    const departures = Array.from({ length: 20 }, (_, one) => ({
      name: null,
      at_local: clockAt(first + one * 15),
      days: 127,
      from_date: null,
      to_date: null,
      except: [],
      duration_min: index % 3 === 0 ? null : 40 + index * 20,
    }));
    const request = { ...watchRequest, name: leg, legs: [roadLeg(leg)], departures };
    const { statusCode, body } = await test.post(
      '/api/v1/watches',
      { ...request, ...(tellMe && { notify: tellMe }) },
      access_token,
    );
    expect(statusCode, body).toBe(201);
  }
  return {
    test,
    replay,
    faults,
    log,
    async collect() {
      await Promise.all(COLLECTORS.map(({ source }) => schedule.collectNow(source)));
      await matching.changed();
    },
    async close() {
      await schedule.stop();
      await matching.stop();
      await replay.close();
      await test.close();
    },
  };
}
