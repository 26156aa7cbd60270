import { describe, expect, it } from 'vitest';
import { readRss, rssTime } from '../../../../server/http/documents/rss.ts';

describe('rssTime', () => {
  it.each([
    ['Fri, 20 Nov 2026 10:41:00 GMT', '2026-11-20T10:41:00.000Z'],
    ['Fri, 20 Nov 2026 10:41:00 +0000', '2026-11-20T10:41:00.000Z'],
    ['Fri, 10 Jul 2026 10:41:00 BST', '2026-07-10T09:41:00.000Z'],
    ['Fri, 10 Jul 2026 10:41:00 +0100', '2026-07-10T09:41:00.000Z'],
    // A time without a zone is London's, whatever the zone of this machine. 01:30 comes twice; the first counts.
    ['Fri, 10 Jul 2026 10:41:00', '2026-07-10T09:41:00.000Z'],
    ['Sun, 25 Oct 2026 01:30:00', '2026-10-25T00:30:00.000Z'],
    // A time without weekday and seconds
    ['2 Mar 2026 04:27 +0000', '2026-03-02T04:27:00.000Z'],
  ])('reads %s', (pubDate, utc) => {
    expect(rssTime(pubDate)).toBe(utc);
  });

  it.each([undefined, null, '', 'yesterday', '31 Feb 2026 10:00 GMT', '1 Xyz 2026 10:00 GMT', '20 Nov 2026'])(
    'takes %j for no time',
    (pubDate) => {
      expect(rssTime(pubDate)).toBeNull();
    },
  );
});

describe('readRss', () => {
  it('gives what the items say as plain text', () => {
    const channel = readRss(
      `<rss version="2.0"><channel><title>A &amp;amp; B</title><item><title><![CDATA[ <b>One</b> ]]></title>
       <guid isPermaLink="false">7</guid></item></channel></rss>`,
    );

    expect(channel).toEqual({
      title: 'A & B',
      link: '',
      pubDate: '',
      items: [{ title: 'One', description: '', category: '', guid: '7', link: '', pubDate: '', point: '' }],
    });
  });

  it.each([
    ['<feed><title>Atom</title></feed>', 'The document is not RSS with a channel, but <feed>.'],
    ['<rss version="2.0"></rss>', 'The document is not RSS with a channel, but <rss>.'],
    ['<rss><channel><item>', 'cut off'],
    ['<!DOCTYPE html><html></html>', 'HTML page'],
    ['', 'The document is empty.'],
  ])('fails on %s', (document, message) => {
    expect(() => readRss(document)).toThrow(message);
  });
});
