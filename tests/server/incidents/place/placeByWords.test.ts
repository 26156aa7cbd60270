/** The places that words give to incidents, compared with a set that was judged by hand, and how many of the
 *  replay's incidents are placed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocationMethod } from '#contract/incidents/disruptions.ts';
import { COLLECTORS } from '../../../../server/sources/allSources.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { factsOf, placeAsItsSource } from '../../../support/readAs.ts';
import { readSource } from '../../../../server/sources/polling/readSource.ts';
import { kilometres } from '#contract/places/distance.ts';
import { downloader } from '../../../../server/http/documents/download.ts';
import { startReplay, type Replay } from '../../../../server/operate/replay.ts';
import { memoryFacts } from '../../../support/upstream.ts';

const WRONG_KM = 15;

interface Row {
  source: string;
  about: string;
  title: string;
  text: string;
  where: { latitude: number; longitude: number } | null;
  why: string;
}

const ROWS: Row[] = readFileSync(new URL('../../../fixtures/placing/labelled.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!source|---)/.test(line))
  .map((line) => {
    const [, source = '', about = '', title = '', text = '', where = '', why = ''] = line
      .split('|')
      .map((cell) => cell.trim());
    const [latitude, longitude] = where.split(',').map(Number);
    return {
      source,
      about,
      title,
      text,
      why,
      where: where === 'none' ? null : { latitude: latitude!, longitude: longitude! },
    };
  });

/** The record as its collector makes it, with the fields that concern the place. */
function recordOf({ source, about, title, text }: Row): DisruptionRecord {
  const isRail = about.endsWith(', rail');
  const letters = about.split(' ').filter(Boolean);
  const metadata: Readonly<Record<string, DisruptionRecord['metadata']>> = {
    'kb-incidents': { operators: letters.map((code) => ({ code, name: null })), routes: null },
    'nsi-service': {
      nsi: { toc_code: about, toc_name: title, status: '', status_description: text, service_groups: [] },
    },
    tfl: { line: about, statuses: [{ reason: text }] },
    'news-rss': { publisher: about.replace(/, rail$/, '') },
    'twitter.metpoliceuk': { publisher: about.replace(/, rail$/, '') },
  };
  return {
    event_id: `${source}:1`,
    severity: 'medium',
    event_type: isRail ? 'news.rail' : 'news.road',
    title,
    summary_line: text,
    updated_at: null,
    start_time: null,
    end_time: null,
    phase: 'active',
    kind: 'alert',
    latitude: null,
    longitude: null,
    metadata: metadata[source] ?? {},
  };
}

const judged = ROWS.map((row) => {
  const record = recordOf(row);
  record.facts = factsOf(record);
  placeAsItsSource(record);
  const { latitude, longitude, metadata } = record;
  const km =
    latitude === null || longitude === null || !row.where
      ? null
      : kilometres(latitude, longitude, row.where.latitude, row.where.longitude);
  const isPlaced = latitude !== null;
  const verdict =
    isPlaced && (km === null || km > WRONG_KM) ? 'wrong' : isPlaced || !row.where ? 'right' : 'missed';
  return { row, verdict, km, names: (metadata.location_names as string[] | undefined)?.join(' to ') };
});

const lineOf = ({ row, km, names }: (typeof judged)[number]) =>
  `${row.source} (${row.about}) "${row.title}": ${names ?? 'not placed'}${km === null ? '' : `, ${Math.round(km)} km away`}; ${row.why}`;

describe('the labelled set', () => {
  it('has at least 150 rows, each with its reason', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(150);
    expect(
      ROWS.filter(({ why, where }) => why === '' || (where && !Number.isFinite(where.longitude))),
    ).toEqual([]);
  });

  it('places none wrongly: none that the words leave open, none by more than 15 km', () => {
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(lineOf)).toEqual([]);
  });

  it('places at least 95 % of those that name a place', () => {
    const named = judged.filter(({ row }) => row.where);
    const missed = named.filter(({ verdict }) => verdict === 'missed').map(lineOf);
    console.info(
      `Placed ${named.length - missed.length} of ${named.length} that name a place, and none of ${judged.length - named.length} that do not.${['', ...missed].join('\n  missed: ')}`,
    );
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(named.length * 0.05);
  });
});

describe('the replay', () => {
  let replay: Replay;
  const now = new Date('2026-11-22T10:00:00Z');
  /** Every wording of every incident, over the whole day. */
  const records = new Map<string, DisruptionRecord>();

  beforeAll(async () => {
    replay = await startReplay({ stepSeconds: 0, now: () => now });
    const facts = memoryFacts();
    for (let scene = 0; scene < 6; scene++) {
      for (const collector of COLLECTORS) {
        const { get } = downloader().newGet();
        const collected = await readSource(collector, { get, now, settings: replay.settings, facts }).catch(
          () => null, // one scene of the service indicator is an outage
        );
        for (const record of collected?.records ?? []) {
          records.set(`${record.event_id} ${record.title} ${record.summary_line}`, record);
        }
      }
      replay.step();
    }
  });
  afterAll(() => replay.close());

  /** These name no place: a county, a road alone, a part of a network. */
  const NAME_NONE = [
    'Minor delays on some routes: North TransPennine',
    'Train delays across Yorkshire as rain falls',
    'M62 reopens but long delays remain',
  ];

  it('places at least 95 % of the incidents that name a place, and says how', () => {
    const alerts = [...records.values()].filter(({ kind }) => kind === 'alert');
    const isNone = ({ title, summary_line }: DisruptionRecord) =>
      [title, summary_line].some((text) => NAME_NONE.includes(text));
    const bySource = Map.groupBy(
      alerts.filter((record) => !isNone(record)),
      ({ event_id }) => event_id.split(':')[0]!,
    );
    const unplaced = [...bySource.values()].flat().filter(({ latitude }) => latitude === null);
    console.info(
      [...bySource]
        .map(([source, all]) => {
          const count = all.filter(({ latitude }) => latitude !== null).length;
          const methods = new Set(all.flatMap(({ metadata }) => metadata.location_method ?? []));
          return `${source}: ${count} of ${all.length} placed (${[...methods].join(', ')})`;
        })
        .join('\n'),
    );
    expect(alerts.filter(isNone).filter(({ latitude }) => latitude !== null)).toEqual([]);
    expect(unplaced.map(({ event_id, title }) => `${event_id} ${title}`)).toEqual([]);
    for (const { latitude, metadata } of records.values()) {
      if (latitude === null) expect(metadata).not.toHaveProperty('location_method');
      else expect(LocationMethod.options).toContain(metadata.location_method);
    }
  });
});
