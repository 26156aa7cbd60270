import { describe, expect, it } from 'vitest';
import { FLOODLINE_URL, sepaFlood } from '../../../server/sources/sepa-flood.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const NOW = '2026-11-20T10:00:00Z';

const collect = (body: string, now = NOW) => sepaFlood.collect(upstream([body], { now }));
const collectFile = (name: string) => collect(fixture(`sepa-flood/${name}`));

/** A channel with these items. */
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>SEPA Floodwarning</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

describe('sepa-flood', () => {
  it('grades warnings by the words of their title', async () => {
    const { records, ...rest } = await collectFile('rss-active.synthetic.xml');

    expect(rest).toEqual({ skipped: 0, problems: [], complete: true });
    expect(
      records.map(({ event_id, severity, event_type }) => `${event_id} ${severity} ${event_type}`),
    ).toEqual([
      'sepa-flood:synthetic-sepa-0001 medium flood.alert',
      'sepa-flood:synthetic-sepa-0002 high flood.warning',
      'sepa-flood:synthetic-sepa-0003 critical flood.severe_warning',
    ]);
  });

  it('says what a warning says', async () => {
    const { records } = await collectFile('rss-active.synthetic.xml');

    expect(records[2]).toEqual({
      event_id: 'sepa-flood:synthetic-sepa-0003',
      severity: 'critical',
      event_type: 'flood.severe_warning',
      title: 'Severe flood warning: Perth - North Muirton',
      summary_line: 'Danger to life.',
      updated_at: '2026-11-20T09:20:00.000Z',
      start_time: '2026-11-20T09:20:00.000Z',
      end_time: null,
      phase: 'active',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        upstream_severity: 'Severe Flood Warning',
        links: [
          {
            url: 'https://floodline.sepa.org.uk/floodupdates/area/tayside/perth-north-muirton',
            label: 'Floodline',
          },
        ],
      },
    });
  });

  it('reads a channel without items as a dry day', async () => {
    expect(await collectFile('rss-empty-2026-03-28.xml')).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
    });
    // It is believed only when it is seen again.
    expect([sepaFlood.neverEmpty ?? false, sepaFlood.absentPolls]).toEqual([false, 2]);
  });

  it('asks the public address, or the one that is set', async () => {
    const empty = fixture('sepa-flood/rss-empty-2026-03-28.xml');
    const settings = { SEPA_FLOOD_URL: 'https://mirror.example/feed' };
    const [far, mirror] = [upstream([empty], { now: NOW }), upstream([empty], { now: NOW, settings })];
    await sepaFlood.collect(far);
    await sepaFlood.collect(mirror);

    expect(far.asked.map(({ url }) => url)).toEqual([FLOODLINE_URL]);
    expect(mirror.asked.map(({ url }) => url)).toEqual(['https://mirror.example/feed']);
  });

  it('reads level and place in any order, and ends a warning whose title says so', async () => {
    const { records, problems } = await collectFile('rss-shapes.synthetic.xml');

    expect(records.map(({ event_id, title, severity }) => [event_id, title, severity])).toEqual([
      // The site's own address does not identify a warning.
      ['sepa-flood:caithness-and-sutherland', 'Flood alert: Caithness and Sutherland', 'medium'],
      ['sepa-flood:àird-a-mhachair', "Flood warning: Àird a' Mhachair", 'high'],
      // The category has the level; the mention of another warning in the description ends nothing.
      [
        'sepa-flood:https://floodline.sepa.org.uk/floodupdates/area/stonehaven',
        'Severe flood warning: Stonehaven',
        'critical',
      ],
      ['sepa-flood:galloway', 'Flood alert: Dumfries and Galloway', 'medium'],
      ['sepa-flood:orkney', 'Flood warning: Orkney', 'high'],
    ]);
    expect(problems).toEqual(['Flood area orkney appears more than once; the newest is kept']);
  });

  it('ends a warning when a newer item says that it is over', async () => {
    const item = (title: string, time: string) =>
      `<title>${title}</title><guid>hawick</guid><pubDate>Fri, 20 Nov 2026 ${time} GMT</pubDate>`;
    const { records, ended } = await collect(
      rss(
        item('Flood Warning: Hawick (East)', '08:00'),
        item('Flood Warning: Hawick (East) is no longer in force', '09:00'),
      ),
    );

    expect(records).toEqual([]);
    expect(ended).toEqual(['sepa-flood:hawick']);
  });

  it('reads times with and without a zone, and never uses the channel’s time for an item', async () => {
    const { records } = await collectFile('rss-shapes.synthetic.xml');

    expect(records.slice(0, 3).map(({ updated_at, start_time }) => [updated_at, start_time])).toEqual([
      ['2026-07-10T07:05:00.000Z', '2026-07-10T07:05:00.000Z'],
      [null, null],
      ['2026-07-10T06:00:00.000Z', '2026-07-10T06:00:00.000Z'],
    ]);
  });

  it('identifies a warning by its place when several share a guid or link', async () => {
    const shared = '<guid>floods</guid><link>https://floodline.sepa.org.uk/floodupdates</link>';
    const { records } = await collect(
      rss(`<title>Flood Alert: Skye</title>${shared}`, `<title>Flood Warning: Mull</title>${shared}`),
    );

    expect(records.map(({ event_id }) => event_id)).toEqual(['sepa-flood:skye', 'sepa-flood:mull']);
  });

  describe('with a document that has faults', () => {
    it('leaves out what cannot be read, says so, and keeps the others', async () => {
      const { records, ...rest } = await collectFile('rss-broken.synthetic.xml');

      expect(records.map(({ event_id }) => event_id)).toEqual(['sepa-flood:tayside', 'sepa-flood:moray']);
      expect(rest).toEqual({
        skipped: 2,
        complete: true,
        // It still names the warning, so the warning does not end.
        unreadable: ['sepa-flood:untitled'],
        problems: [
          'Item 2 "" left out: title: title is missing',
          'Item 3 "Flood Alert" left out: id: neither guid nor link nor place says which it is',
          '"Flood Alert: Tayside & Angus": unreadable pubDate "yesterday"',
          '"Flood Advisory: Moray Firth": unknown severity level',
        ],
      });
    });

    it('turns hostile text into plain text, and keeps only http links', async () => {
      const { records } = await collectFile('rss-broken.synthetic.xml');

      expect(records[0]).toMatchObject({
        title: 'Flood alert: Tayside & Angus',
        summary_line: 'Levels are < 3 m and rising.',
        updated_at: null,
      });
      expect(records[0]?.metadata).toEqual({ upstream_severity: 'Flood Alert' });
    });

    it('marks words outside the scale as unrated', async () => {
      const { records } = await collectFile('rss-broken.synthetic.xml');

      expect(records[1]).toMatchObject({
        title: 'Flood Advisory: Moray Firth',
        severity: 'medium',
        event_type: 'flood.warning',
        metadata: { severity_unrated: true, upstream_severity: 'Flood Advisory: Moray Firth' },
      });
    });

    it('ends nothing when most of it cannot be read', async () => {
      const { records, complete, skipped } = await collect(
        rss('<title>Flood Alert: Skye</title>', '<guid>1</guid>', '<guid>2</guid>'),
      );

      expect({ found: records.length, complete, skipped }).toEqual({ found: 1, complete: false, skipped: 2 });
    });
  });

  it.each([
    ['an empty document', '', 'The document is empty.'],
    ['half a document', fixture('sepa-flood/rss-active.synthetic.xml').slice(0, 700), 'cut off'],
    ['a page', '<!DOCTYPE html><html><body>Sign in to the Wi-Fi</body></html>', 'HTML page'],
    ['JSON', '{"items":[]}', 'not XML'],
    ['Atom', '<feed><title>Flood</title></feed>', 'not RSS'],
    ['another channel', '<rss><channel><title>News</title></channel></rss>', 'not of flood warnings'],
    ['items in another form', rss('<a/>', '<b/>'), 'None of the 2 warnings can be read'],
  ])('fails on %s', async (_, body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('fails when the source cannot be reached', async () => {
    await expect(
      sepaFlood.collect(upstream([new Error('503 Service Unavailable')], { now: NOW })),
    ).rejects.toThrow('503');
  });
});
