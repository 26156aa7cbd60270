import { describe, expect, it } from 'vitest';
import { addressesIn, feedTime, readFeed } from '../../../../server/http/documents/newsItems.ts';
import { fixture } from '../../../support/upstream.ts';

describe('a feed of news', () => {
  it('is read from RSS, with CDATA and white space, without tracking in links', () => {
    const { title, items } = readFeed(fixture('news-rss/bbc-uk.synthetic.xml'));

    expect(title).toBe('BBC News');
    expect(items[1]).toEqual({
      id: 'https://www.bbc.com/news/articles/c0synth0002#2',
      link: 'https://www.bbc.co.uk/news/articles/c0synth0002',
      title: 'M62 closed after lorry overturns',
      text: 'The motorway is blocked in both directions near Huddersfield. Police expect it to stay so until the evening.',
      published: '2026-11-20T14:02:00.000Z',
      updated: null,
    });
  });

  it('is read from Atom, with XHTML, and with only the time of the last change', () => {
    expect(readFeed(fixture('news-rss/atom.synthetic.xml'))).toEqual({
      title: 'Calder Valley Courier',
      items: [
        {
          id: 'tag:courier.example,2026:4711',
          link: 'https://courier.example/news/todmorden?page=2',
          title: 'Railway line at Todmorden blocked by landslip',
          text: 'Buses run instead of trains.',
          published: '2026-11-20T08:30:00.000Z',
          updated: '2026-11-20T14:45:00.000Z',
        },
        {
          id: 'tag:courier.example,2026:4712',
          link: 'https://courier.example/news/tram',
          title: 'Tram broken down at the market',
          text: 'Trams are delayed.',
          published: '2026-11-20T15:20:00.000Z',
          updated: '2026-11-20T15:20:00.000Z',
        },
      ],
    });
  });

  it('has no titles if it is of posts', () => {
    const { title, items } = readFeed(fixture('twitter.metpoliceuk/mastodon.synthetic.xml'));

    expect({ title, items }).toEqual({
      title: 'Example Roads',
      items: [
        {
          id: 'https://social.example/@roads/111544452566443481',
          link: 'https://social.example/@roads/111544452566443481',
          title: '',
          text: 'A23 northbound: collision at Purley. Slow traffic & queues. #A23',
          published: '2026-11-20T15:01:13.000Z',
          updated: null,
        },
      ],
    });
  });

  it.each([
    ['<opml version="2.0"><body/></opml>', 'The document is neither RSS nor Atom, but "opml".'],
    ['<rss version="2.0"/>', 'The document is neither RSS nor Atom, but "rss".'],
    ['<html><body>Please wait</body></html>', 'The document is an HTML page'],
    ['<rss><channel><title>News</title>', 'cut off'],
    ['', 'The document is empty.'],
  ])('is not %s', (document, problem) => {
    expect(() => readFeed(document)).toThrow(problem);
  });
});

describe("a feed's time", () => {
  it.each([
    ['Thu, 08 Aug 2024 15:39:03 GMT', '2024-08-08T15:39:03.000Z'],
    ['12 Mar 2025 04:27 +0000', '2025-03-12T04:27:00.000Z'],
    ['Fri, 8 Dec 2023 9:01:13 -0330', '2023-12-08T12:31:13.000Z'],
    ['Sunday, 05 July 2026 12:00:00 BST', '2026-07-05T11:00:00.000Z'],
    ['Fri,  20 Nov 2026\n 15:12:00 UTC', '2026-11-20T15:12:00.000Z'],
    // Times by London's clock: in summer, in the hour that comes twice (the first counts), in winter.
    ['Sun, 05 Jul 2026 12:00:00', '2026-07-05T11:00:00.000Z'],
    ['Sun, 25 Oct 2026 01:30:00', '2026-10-25T00:30:00.000Z'],
    ['20 Nov 2026 15:12', '2026-11-20T15:12:00.000Z'],
    ['2026-11-20T08:30:00+01:00', '2026-11-20T07:30:00.000Z'],
  ])('%s', (written, utc) => {
    expect(feedTime(written)).toBe(utc);
  });

  it.each(['', 'yesterday', '31 Feb 2026 10:00 GMT', '20 Abc 2026 10:00 GMT', '20 Nov 2026 10:00 MST', null])(
    'is not %s',
    (written) => {
      expect(feedTime(written)).toBeNull();
    },
  );
});

it('a list of addresses may be separated by spaces, lines or commas, and an address may hold commas', () => {
  expect(
    addressesIn(' https://a.example/x,y/rss  http://b.example,\nhttps://c.example,https://d.example'),
  ).toEqual(['https://a.example/x,y/rss', 'http://b.example', 'https://c.example', 'https://d.example']);
  expect(addressesIn('  ')).toEqual([]);
});
