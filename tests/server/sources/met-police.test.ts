import { describe, expect, it } from 'vitest';
import { metPolice, NEWSROOM_URL } from '../../../server/sources/met-police.ts';
import { fixture, upstream } from '../../support/upstream.ts';

const NOW = '2026-11-20T10:00:00Z';

const collect = (body: string, now = NOW) => metPolice.collect(upstream([body], { now }));
const collectFile = (name: string, now = NOW) => collect(fixture(`met-police/${name}.synthetic.xml`), now);

const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>News</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;

const notice = (title: string, description: string, pubDate = 'Fri, 20 Nov 2026 09:00:00 +0000') =>
  `<title>${title}</title><guid>https://news.met.police.uk/news/a-1</guid><description>${description}</description><pubDate>${pubDate}</pubDate>`;

describe('met-police', () => {
  it('keeps the notices that touch travel and leaves out courts and appeals', async () => {
    const { records, ...rest } = await collectFile('rss');

    expect(rest).toEqual({
      skipped: 0,
      problems: [],
      complete: true,
      listedSince: '2026-11-19T08:00:00.000Z',
    });
    expect(records).toEqual([
      {
        event_id: 'met-police:900001',
        severity: 'medium',
        event_type: 'police.road_closure',
        title: 'Road closures in Westminster ahead of demonstration on Saturday',
        summary_line:
          'A number of roads around Whitehall will be closed from 11:00hrs on Saturday, 21 November.',
        updated_at: '2026-11-20T09:05:00.000Z',
        start_time: '2026-11-21T00:00:00.000Z',
        end_time: '2026-11-22T00:00:00.000Z',
        phase: 'planned',
        kind: 'alert',
        latitude: null,
        longitude: null,
        metadata: {
          links: [
            {
              url: 'https://news.met.police.uk/news/road-closures-in-westminster-ahead-of-demonstration-on-saturday-900001',
              label: 'Metropolitan Police newsroom',
            },
          ],
        },
      },
    ]);
  });

  it('grades each kind of notice, and ignores words that only sound like one', async () => {
    const { records, problems } = await collectFile('rss-kinds');

    expect(problems).toEqual([]);
    expect(records.map(({ title, severity, event_type }) => [title, severity, event_type])).toEqual([
      ['Major incident declared at Waterloo station', 'high', 'police.major_incident'],
      ['Flats evacuated in Battersea', 'high', 'police.evacuation'],
      ['Stabbing in Brixton', 'high', 'police.cordon'],
      // This court is no court of law.
      ["Earl's Court station closed", 'medium', 'police.road_closure'],
      ['Lorry on its side in Edmonton', 'medium', 'police.road_closure'],
      ['Procession through Camden', 'low', 'police.demonstration'],
      ['Two injured in a collision on the A23', 'low', 'police.incident'],
    ]);
  });

  it.each([
    ['Four charged after protest on Westminster Bridge', 'The bridge was closed.'],
    ['Arrests at demonstration', 'Roads are closed.'],
    ['Missing from Ealing', 'She was last seen at the station after an incident.'],
    ['Investigation in Barnet', 'A murder investigation has begun. A cordon is in place.'],
    ['Cordon lifted in Soho', 'Roads had been closed.'],
    ['Demonstration called off', 'No roads will be closed.'],
    ['Plans for March 2027', 'Officers look ahead.'],
    ['A new shop', 'The market is closed. The road is wide.'],
    ['A collision of ideas', 'Cadets debate.'],
  ])('leaves out "%s": "%s"', async (title, description) => {
    expect((await collect(rss(notice(title, description)))).records).toEqual([]);
  });

  it('ends a notice whose title says that it is over, but none that it merely leaves out', async () => {
    const { ended } = await collect(rss(notice('Cordon lifted in Soho', 'Roads had been closed.')));
    expect(ended).toHaveLength(1);
    expect((await collect(rss(notice('A new shop', 'The market is closed.')))).ended).toBeUndefined();
  });

  it('keeps a notice for 24 hours and no longer', async () => {
    const body = rss(notice('Roads closed in Pimlico', 'Find another way.'));
    const [before, after] = [
      await collect(body, '2026-11-21T08:59:59Z'),
      await collect(body, '2026-11-21T09:00:00Z'),
    ];

    expect(before.records).toMatchObject([
      { start_time: '2026-11-20T09:00:00.000Z', end_time: '2026-11-21T09:00:00.000Z', phase: 'active' },
    ]);
    expect(after.records).toEqual([]);
  });

  it('keeps a notice that names a later day as planned, then as active until that day ends', async () => {
    const phases = [];
    for (const now of ['2026-11-20T23:59:59Z', '2026-11-21T00:00:00Z', '2026-11-21T23:59:59Z'])
      phases.push((await collectFile('rss', now)).records.map(({ phase }) => phase));

    expect(phases).toEqual([['planned'], ['active'], ['active']]);
    expect((await collectFile('rss', '2026-11-22T00:00:00Z')).records).toEqual([]);
  });

  describe('reads the days', () => {
    const FRIDAY = 'Fri, 20 Nov 2026 09:00:00 +0000';
    const A_DAY = ['2026-11-20T09:00', '2026-11-21T09:00'];

    it.each([
      ['closed on Saturday 21st November', FRIDAY, '2026-11-21T00:00', '2026-11-22T00:00'],
      ['closed on Saturday 21 and Sunday 22 November', FRIDAY, '2026-11-21T00:00', '2026-11-23T00:00'],
      ['closed from 21 to 23 November 2026', FRIDAY, '2026-11-21T00:00', '2026-11-24T00:00'],
      ['closed on 21 November and on 28 November', FRIDAY, '2026-11-21T00:00', '2026-11-29T00:00'],
      ['closed until Sunday, 22 November', FRIDAY, '2026-11-20T09:00', '2026-11-23T00:00'],
      ['closed until 02:00 on Sunday 22 November', FRIDAY, '2026-11-20T09:00', '2026-11-23T00:00'],
      [
        'closed from Friday 20 November to Sunday 22 November',
        FRIDAY,
        '2026-11-20T09:00',
        '2026-11-23T00:00',
      ],
      [
        'closed from 11:00 on 21 November until 02:00 on 22 November',
        FRIDAY,
        '2026-11-21T00:00',
        '2026-11-23T00:00',
      ],
      // The turn of the year
      ['closed on 1 January', 'Thu, 31 Dec 2026 09:00:00 GMT', '2027-01-01T00:00', '2027-01-02T00:00'],
      // Days on which the clocks change, by which London counts
      ['closed on 25 October', 'Fri, 23 Oct 2026 09:00:00 BST', '2026-10-24T23:00', '2026-10-26T00:00'],
      ['closed on 29 March', 'Fri, 27 Mar 2026 09:00:00 GMT', '2026-03-29T00:00', '2026-03-29T23:00'],
      // A past day, today, a day too far ahead, and a day that is in no calendar
      ['closed on Wednesday, 18 November', FRIDAY, ...A_DAY],
      ['closed on Friday, 20 November', FRIDAY, ...A_DAY],
      ['closed on 21 May', FRIDAY, ...A_DAY],
      ['closed on 21 November 2025', FRIDAY, ...A_DAY],
      ['closed on 31 November', FRIDAY, ...A_DAY],
    ])('of "%s" (%s)', async (description, pubDate, start, end) => {
      const now = new Date(Date.parse(pubDate.replace('BST', '+0100')) + 60_000).toISOString();
      const { records } = await collect(rss(notice('Roads closed', `Roads ${description}.`, pubDate)), now);

      expect(records.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
        [`${start}:00.000Z`, `${end}:00.000Z`],
      ]);
    });
  });

  it('asks the public address, or the one that is set', async () => {
    const body = fixture('met-police/rss.synthetic.xml');
    const settings = { MET_POLICE_URL: 'https://mirror.example/rss' };
    const [far, mirror] = [upstream([body], { now: NOW }), upstream([body], { now: NOW, settings })];
    await metPolice.collect(far);
    await metPolice.collect(mirror);

    expect(far.asked.map(({ url }) => url)).toEqual([NEWSROOM_URL]);
    expect(mirror.asked.map(({ url }) => url)).toEqual(['https://mirror.example/rss']);
    expect(metPolice).toMatchObject({ absentPolls: 2 });
    expect(metPolice.neverEmpty ?? false).toBe(false);
  });

  it('ends nothing on an empty channel, which the newsroom never sends', async () => {
    expect(await collectFile('rss-empty')).toEqual({
      records: [],
      skipped: 0,
      problems: ['The newsroom lists no items, although it always has news'],
      complete: false,
    });
  });

  describe('with a document that has faults', () => {
    it('leaves out what cannot be read, says so, and keeps the others', async () => {
      const { records, ...rest } = await collectFile('rss-broken');

      expect(records.map(({ event_id, severity }) => `${event_id} ${severity}`)).toEqual([
        'met-police:940001 high',
        'met-police:940005 medium',
        // Its address has no number.
        expect.stringMatching(/^met-police:[\da-f]{16} low$/),
      ]);
      expect(rest).toEqual({
        skipped: 3,
        complete: true,
        listedSince: '2026-11-20T06:00:00.000Z',
        unreadable: ['met-police:940002', 'met-police:940003'],
        problems: [
          'Item 2 "Roads closed in Pimlico" left out: published: pubDate is missing or cannot be read',
          'Item 3 "" left out: title: title is missing',
          'Item 4 "Roads closed somewhere" left out: id: neither guid nor link says which it is',
          'met-police:940005 appears more than once; the newest or worst is kept',
        ],
      });
    });

    it('turns hostile text into plain text, and keeps only http links', async () => {
      const { records } = await collectFile('rss-broken');

      expect(records[0]).toMatchObject({
        title: 'Cordon in Soho & Mayfair',
        summary_line: 'Roads are closed now.',
        metadata: {},
      });
      expect(records[0]?.metadata).not.toHaveProperty('links');
    });

    it('ends nothing when most of it cannot be read', async () => {
      const { records, complete, skipped } = await collect(
        rss(notice('Roads closed', 'Find another way.'), '<title>One</title>', '<title>Two</title>'),
      );

      expect({ found: records.length, complete, skipped }).toEqual({ found: 1, complete: false, skipped: 2 });
    });

    it('reads an endless text quickly', async () => {
      const began = process.cpuUsage();
      await collect(rss(notice('Road', 'road 1 1 and until a on '.repeat(50_000))));

      // Processor time: other work on the machine does not count.
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(2000);
    });
  });

  it.each([
    ['an empty document', '', 'The document is empty.'],
    ['half a document', fixture('met-police/rss.synthetic.xml').slice(0, 900), 'cut off'],
    ['a page', '<!DOCTYPE html><html><body>Sign in to the Wi-Fi</body></html>', 'HTML page'],
    ['JSON', '{"items":[]}', 'not XML'],
    ['Atom', '<feed><title>News</title></feed>', 'not RSS'],
    ['items in another form', rss('<a/>', '<b/>'), 'None of the 2 items can be read'],
  ])('fails on %s', async (_, body, message) => {
    await expect(collect(body)).rejects.toThrow(message);
  });

  it('fails when the source cannot be reached', async () => {
    await expect(
      metPolice.collect(upstream([new Error('503 Service Unavailable')], { now: NOW })),
    ).rejects.toThrow('503');
  });
});
