import { describe, expect, it } from 'vitest';
import { Disruption } from '../../../contract/incidents/disruptions.ts';
import { Feed } from '../../../contract/feeds/feeds.ts';
import { list, tolerant } from '../../../src/api/tolerant.ts';

const Alert = tolerant(Disruption, 'event_id');
const Alerts = list(Alert, 'events');

describe('a record', () => {
  it('needs only what identifies it', () => {
    expect(Alert.parse({ event_id: 'tfl:1' })).toEqual({ event_id: 'tfl:1' });
    expect(Alert.safeParse({ title: 'No id' }).success).toBe(false);
    expect(Alert.safeParse({ event_id: '' }).success).toBe(false);
    expect(Alert.safeParse('tfl:1').success).toBe(false);
  });

  it('takes a number for an id, as some servers send', () => {
    expect(Alert.parse({ event_id: 7 }).event_id).toBe('7');
  });

  it('loses an odd value, but is never lost itself', () => {
    const read = Alert.parse({
      event_id: 'tfl:1',
      severity: 'apocalyptic',
      title: 42,
      summary_line: 'Signal failure',
      latitude: 'north',
      start_time: 'soon',
      end_time: null,
    });
    expect(read).toMatchObject({ event_id: 'tfl:1', summary_line: 'Signal failure', end_time: null });
    expect([read.severity, read.title, read.latitude, read.start_time]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps what it can of nested values', () => {
    const { metadata } = Alert.parse({
      event_id: 'nsi-service:GW',
      metadata: {
        phase: 'someday',
        publisher: 'kept',
        nsi: {
          toc_name: 'Great Western Railway',
          status: 'Custom',
          toc_code: 12,
          service_groups: [{ detail: 'Buses replace trains', url: false }, 'not a group'],
        },
      },
    });
    expect(metadata).toMatchObject({ publisher: 'kept' });
    expect(metadata?.phase).toBeUndefined();
    expect(metadata?.nsi).toMatchObject({ toc_name: 'Great Western Railway', status: 'Custom' });
    expect(metadata?.nsi?.service_groups).toEqual([{ detail: 'Buses replace trains', url: undefined }]);
  });

  it.each([
    ['2026-11-21T15:10:00.000Z', '2026-11-21T15:10:00.000Z'],
    ['2026-11-21T15:10:00Z', '2026-11-21T15:10:00.000Z'],
    ['2026-07-01T15:10:00+01:00', '2026-07-01T14:10:00.000Z'],
    ['2026-11-21T15:10:00.123456', '2026-11-21T15:10:00.123Z'],
  ])('reads the time %s as UTC', (sent, read) => {
    expect(Alert.parse({ event_id: '1', start_time: sent }).start_time).toBe(read);
  });
});

describe('a list', () => {
  it.each([
    ['under its name with a total', { events: [{ event_id: '1' }], total: 30 }, 30],
    ['under its name alone', { events: [{ event_id: '1' }] }, 1],
    ['with an odd total', { events: [{ event_id: '1' }], total: 'many' }, 1],
    ['bare', [{ event_id: '1' }], 1],
  ])('is read %s', (_, sent, total) => {
    expect(Alerts.parse(sent)).toEqual({ items: [{ event_id: '1' }], total });
  });

  it('leaves out only what cannot be read', () => {
    const { items } = Alerts.parse([
      { event_id: '1' },
      null,
      { title: 'No id' },
      { event_id: '2', severity: 9 },
    ]);
    expect(items.map(({ event_id }) => event_id)).toEqual(['1', '2']);
  });

  it('may be empty, but is a failure when none of its items can be read', () => {
    expect(Alerts.parse([]).items).toEqual([]);
    expect(Alerts.safeParse([{ title: 'No id' }, 'text']).success).toBe(false);
    expect(Alerts.safeParse({ events: [{ title: 'No id' }] }).success).toBe(false);
  });

  it.each([null, {}, { events: null }, { other: [] }, 'text', 7])('is not %j', (sent) => {
    expect(Alerts.safeParse(sent).success).toBe(false);
  });
});

it('a feed without sources or freshness is still a feed', () => {
  const FeedEntry = tolerant(Feed, 'slug');
  expect(
    FeedEntry.parse({ slug: 'rail-network', title: 'Rail', alert_count: 3, last_updated: null }),
  ).toEqual({
    slug: 'rail-network',
    title: 'Rail',
    alert_count: 3,
    last_updated: null,
  });
});
