import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../../src/api/alerts/disruptions.ts';
import { formsOf } from '../../../../src/feeds/alerts/titles.ts';
import {
  alsoText,
  candidatesOf,
  gradeLabel,
  orderOf,
  silentFeedOf,
  trendText,
} from '../../../../src/feeds/alerts/leadAlerts.ts';

const NOW = new Date('2026-11-22T06:14:00Z');
const at = (time: string, day = '2026-11-22') => `${day}T${time}:00.000Z`;

const one = (event_id: string, severity: Alert['severity'], fields: Partial<Alert> = {}): Alert => ({
  event_id,
  severity,
  start_time: at('05:00'),
  ...fields,
});
const worse = { trend: { direction: 'worse' as const, since: at('06:10'), change: 'High to Critical' } };
const see = { see: { event_id: 'x', feed: 'roads-uk' } };
const planned = { metadata: { phase: 'planned' as const } };
const worst = (...events: Alert[]) =>
  candidatesOf([{ events }])
    .map(({ event_id }) => event_id)
    .join(' ');

describe('the worst of the board', () => {
  it.each<[string, Alert[], string]>([
    ['a critical alert, not the high ones', [one('h', 'high'), one('c', 'critical')], 'c'],
    [
      'every high one where none is critical',
      [one('m', 'medium'), one('h', 'high'), one('i', 'high')],
      'h i',
    ],
    ['nothing where none is critical or high', [one('m', 'medium')], ''],
    [
      'the worsening before the newer',
      [one('a', 'high', { start_time: at('06:00') }), one('b', 'high', worse)],
      'b a',
    ],
    ['the newest first', [one('a', 'high'), one('b', 'high', { start_time: at('06:00') })], 'b a'],
    ['all that are as bad', ['a', 'b', 'c', 'd', 'e'].map((id) => one(id, 'critical')), 'a b c d e'],
    [
      'not what is planned, unrated, or counted by another feed',
      [
        one('p', 'critical', planned),
        one('u', 'critical', { metadata: { severity_unrated: true } }),
        one('s', 'critical', see),
        one('h', 'high'),
      ],
      'h',
    ],
    ['an alert of two feeds once', [one('a', 'critical'), one('a', 'critical')], 'a'],
  ])('is %s', (_, events, ids) => {
    expect(worst(...events)).toBe(ids);
  });

  it('has a label: the grade, and the place among all of that grade', () => {
    const [a, b] = [one('a', 'critical'), one('b', 'critical')];
    expect(gradeLabel(a, [a])).toBe('Critical');
    expect([a, b].map((alert) => gradeLabel(alert, [a, b]))).toEqual([
      'Critical, 1 of 2',
      'Critical, 2 of 2',
    ]);
  });

  it('has those of silent feeds last, each by the feed that counts it', () => {
    const feed = (slug: string, freshness: 'fresh' | 'stale') => ({ slug, freshness });
    const old = one('old', 'critical', worse);
    const rows = [
      { feed: feed('roads-uk', 'stale'), events: [old, one('new', 'critical', see)] },
      { feed: feed('rail-network', 'fresh'), events: [one('new', 'critical')] },
      { events: [one('own:1', 'critical', { start_time: at('04:00') })] },
    ];
    expect(candidatesOf(rows).map(({ event_id }) => event_id)).toEqual(['new', 'own:1', 'old']);
    const silent = ['old', 'new', 'own:1'].map((id) => silentFeedOf(one(id, 'critical'), rows)?.slug);
    expect(silent).toEqual(['roads-uk', undefined, undefined]);
  });
});

describe('the order of a feed', () => {
  const ids = (alerts: readonly Alert[]) => alerts.map(({ event_id }) => event_id).join(' ');
  it.each<[string, Alert[], leads: string, queue: string, later: string]>([
    [
      'pins every critical alert',
      [one('h', 'high'), one('a', 'critical'), one('b', 'critical')],
      'a b',
      'h',
      '',
    ],
    [
      'pins the worst without one',
      [one('m', 'medium'), one('i', 'high', { start_time: at('06:00') }), one('h', 'high', worse)],
      'h',
      'i m',
      '',
    ],
    [
      'never leads with what another feed counts',
      [one('s', 'critical', see), one('m', 'medium')],
      'm',
      's',
      '',
    ],
    [
      'keeps planned ones apart, the next first',
      [
        one('p', 'critical', { ...planned, start_time: at('10:00', '2026-11-28') }),
        one('n', 'low', {
          ...planned,
          collected_at: at('06:10'),
          windows: [{ start: at('22:00', '2026-11-16'), end: null, from: '22:00', to: '05:00' }],
        }),
        one('q', 'low', { ...planned, start_time: at('21:00') }),
        one('l', 'low'),
      ],
      'l',
      '',
      'q n p',
    ],
  ])('%s', (_, events, leads, queue, later) => {
    const order = orderOf(events);
    expect([ids(order.leads), ids(order.queue), ids(order.planned)]).toEqual([leads, queue, later]);
  });
});

describe('the marks of an alert', () => {
  it.each([
    [worse, 'worse since 06:10'],
    [{ trend: { direction: 'easing' as const, since: at('06:10') } }, 'easing'],
    [{ trend: { direction: 'worse' as const } }, 'worse'],
    [{}, ''],
  ])('its trend: %o', (fields, text) => {
    expect(trendText(one('a', 'high', fields), NOW)).toBe(text);
  });

  it.each([
    [['met-police'], 'also Public Safety'],
    [['met-police', 'news-rss', 'national-highways'], 'also Public Safety'],
    [['national-highways', 'no-such-source'], ''],
    [[], ''],
  ])('the other feeds that report it: %o', (sources, text) => {
    const also = sources.map((source) => ({ source, event_id: source, title: '' }));
    expect(
      alsoText(one('a', 'high', { source: 'national-highways', metadata: { also_reported_by: also } })),
    ).toBe(text);
  });

  it.each<[Partial<Alert>, string]>([
    [
      { facts: { place: 'M62 eastbound, J26 to J27', effect: 'closed', cause: 'overturned lorry' } },
      'M62 eastbound, J26 to J27: closed, overturned lorry',
    ],
    [{ title: 'Southern', metadata: { nsi: { status: 'Minor delays' } } }, 'Southern: Minor delays'],
    [{ ...see, facts: { place: 'M62 eastbound, J26 to J27' } }, 'M62 eastbound: see UK Roads'],
    [{ ...see, title: 'M62 closed: police' }, 'M62 closed: see UK Roads'],
  ])('its title: %o', (fields, text) => {
    expect(formsOf(one('a', 'high', fields))[0]).toBe(text);
  });
});
