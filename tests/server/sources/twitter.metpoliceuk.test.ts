import { describe, expect, it } from 'vitest';
import { socialPosts } from '../../../server/sources/twitter.metpoliceuk.ts';
import { fixture, upstream, type Answer } from '../../support/upstream.ts';

const BLUESKY = fixture('twitter.metpoliceuk/bluesky.synthetic.xml');
const MASTODON = fixture('twitter.metpoliceuk/mastodon.synthetic.xml');

function collect(answers: readonly Answer[], now = '2026-11-20T16:00:00Z') {
  const SOCIAL_FEEDS = answers.map((_, at) => `https://feed-${at + 1}.example/@account.rss`).join(', ');
  return socialPosts.collect(upstream(answers, { now, settings: { SOCIAL_FEEDS } }));
}

const key = ({ event_id }: { event_id: string }) => event_id.split('/').at(-1);

describe('twitter.metpoliceuk, read from the feeds that replace it', () => {
  it('runs only if the operator has chosen accounts', () => {
    expect(socialPosts.settings).toMatchObject([{ name: 'SOCIAL_FEEDS', required: true }]);
  });

  it('says what a post says, graded medium at most', async () => {
    const { records, ...rest } = await collect([BLUESKY]);

    expect(rest).toEqual({
      skipped: 0,
      problems: [],
      complete: true,
      ended: ['twitter.metpoliceuk:at://did:plc:synthetic/app.bsky.feed.post/3synthetic004'],
      listedSince: '2026-11-20T09:59:00.000Z',
    });
    expect(records[0]).toEqual({
      event_id: 'twitter.metpoliceuk:at://did:plc:synthetic/app.bsky.feed.post/3synthetic001',
      severity: 'medium',
      event_type: 'social.rail',
      title: '⚠️ No trains through Woking because of a points failure. Disruption is expected…',
      summary_line:
        '⚠️ No trains through Woking because of a points failure. Disruption is expected until 18:00.',
      updated_at: '2026-11-20T15:12:00.000Z',
      start_time: '2026-11-20T15:12:00.000Z',
      end_time: '2026-11-20T21:12:00.000Z',
      phase: 'active',
      kind: 'alert',
      latitude: null,
      longitude: null,
      metadata: {
        upstream_severity: 'No trains',
        transport: 'trains',
        publisher: '@example-rail.bsky.social - Example Rail',
        links: [
          {
            url: 'https://bsky.app/profile/example-rail.bsky.social/post/3synthetic001',
            label: '@example-rail.bsky.social - Example Rail',
          },
        ],
      },
    });
  });

  it('leaves out chatter, answers to travellers, ended incidents, and posts that are six hours old', async () => {
    expect((await collect([BLUESKY])).records.map(key)).toEqual(['3synthetic001', '3synthetic006']);
    expect((await collect([BLUESKY], '2026-11-20T15:58:59Z')).records.map(key)).toEqual([
      '3synthetic001',
      '3synthetic005',
      '3synthetic006',
    ]);
  });

  it('is one source for all accounts; each alert names its account', async () => {
    const { records } = await collect([BLUESKY, MASTODON]);

    expect(records.at(-1)).toMatchObject({
      event_id: 'twitter.metpoliceuk:https://social.example/@roads/111544452566443481',
      severity: 'low',
      event_type: 'social.road',
      title: 'A23 northbound: collision at Purley. Slow traffic & queues. #A23',
      metadata: { publisher: 'Example Roads' },
    });
  });

  it('reads an account without posts as calm', async () => {
    expect(await collect([fixture('twitter.metpoliceuk/bluesky-empty.synthetic.xml')])).toEqual({
      records: [],
      skipped: 0,
      problems: [],
      complete: true,
    });
  });

  it('reads the other accounts when one fails, and ends nothing', async () => {
    expect(await collect([new Error('answered 404'), MASTODON])).toMatchObject({
      records: [{ event_type: 'social.road' }],
      complete: false,
      problems: ['Feed 1 (feed-1.example) cannot be read: answered 404'],
    });
    await expect(collect([new Error('answered 404')])).rejects.toThrow('answered 404');
  });

  it('turns hostile text into plain text, and says what it cannot read', async () => {
    const { records, skipped, problems, unreadable, complete } = await collect([
      fixture('twitter.metpoliceuk/bluesky-broken.synthetic.xml'),
    ]);

    expect(records).toMatchObject([
      {
        title: 'The A3 is closed at Hindhead tunnel',
        metadata: { publisher: '@example-rail.bsky.social - Example' },
      },
      {
        event_id: 'twitter.metpoliceuk:https://bsky.app/profile/example-rail.bsky.social/post/3synthetic014',
        title: 'The A34 is closed',
      },
    ]);
    expect({ skipped, complete }).toEqual({ skipped: 2, complete: true });
    expect(problems).toEqual([
      'Feed 1 (feed-1.example), item 2 "The A31 is closed" left out: published: has no time that can be read',
      'Feed 1 (feed-1.example), item 3 "The A32 is closed" left out: published: has no time that can be read',
    ]);
    expect(unreadable).toEqual([
      'twitter.metpoliceuk:at://did:plc:synthetic/app.bsky.feed.post/3synthetic012',
      'twitter.metpoliceuk:at://did:plc:synthetic/app.bsky.feed.post/3synthetic013',
    ]);
  });
});
