import { expect, it } from 'vitest';
import { faultOf, hiddenValues, redacted } from '../../../../server/http/documents/redaction.ts';

const SETTINGS = [
  { name: 'FEED_URL', required: true, about: '' },
  { name: 'FEED_KEY', required: true, secret: true, about: '' },
  { name: 'FEED_REGION', required: false, about: '' },
  { name: 'FEED_LIST', required: false, about: '' },
];
/** The shorter secret is declared first. */
const SETTINGS_OF_TWO = [
  { name: 'FEED_USER', secret: true },
  { name: 'FEED_KEY', secret: true },
];
const hidden = hiddenValues(
  { settings: SETTINGS },
  {
    FEED_URL: 'https://feeds.example.org/subscriber/9f8e7d/list?sig=s1gn4ture',
    FEED_KEY: 'k3y/with+signs',
    FEED_REGION: 'north',
    FEED_LIST: 'https://a.example/pr1vate/a,b https://b.example/inv1tation',
  },
);

it.each([
  [
    'GET https://feeds.example.org/subscriber/9f8e7d/list?sig=s1gn4ture: answered 503',
    'GET [redacted]: answered 503',
  ],
  [
    'GET feeds.example.org/subscriber/9f8e7d/list: answered 503',
    'GET feeds.example.org[redacted]: answered 503',
  ],
  ['GET b.example/inv1tation: answered 503', 'GET b.example[redacted]: answered 503'],
  ['GET a.example/pr1vate/a,b: answered 503', 'GET a.example[redacted]: answered 503'],
  ['the key k3y/with+signs was refused', 'the key [redacted] was refused'],
  ['asked /x?key=k3y%2Fwith%2Bsigns', 'asked /x?…'],
  ['GET https://api.example.org/v1/x?app_key=abc123def: 429', 'GET api.example.org/…: 429'],
  ['GET https://user:pa55@api.example.org: no answer', 'GET api.example.org: no answer'],
  ['Authorization: Bearer abcdefghijkl', 'Authorization: Bearer [redacted]'],
  ['sent Bearer abcdefghijkl to it', 'sent Bearer [redacted] to it'],
  ['x-apikey=abcd1234, then gave up', 'x-apikey=[redacted], then gave up'],
  ['north of the border\n\u001b[31mred\u202e', 'north of the border [31mred'],
  ['Unexpected token < in JSON at position 0', 'Unexpected token < in JSON at position 0'],
])('%j is shown as %j', (text, shown) => {
  expect(redacted(text, hidden)).toBe(shown);
});

it('hides all of a secret that begins with another one', () => {
  const both = hiddenValues({ settings: SETTINGS_OF_TWO }, { FEED_USER: 'coaches', FEED_KEY: 'coaches2026' });
  expect(redacted('the key coaches2026 was refused', both)).toBe('the key [redacted] was refused');
});

it('shortens a long text', () => {
  expect(redacted('x'.repeat(10_000))).toHaveLength(500);
});

it('is as quick for an endless text', () => {
  const begun = performance.now();
  for (const piece of ['a.', 'a-', '?', ':']) redacted(`a://${piece.repeat(50_000)}x`);

  expect(performance.now() - begun).toBeLessThan(5000);
});

it('puts any thrown thing into words', () => {
  expect(faultOf(new Error('The answer is empty.'))).toBe('The answer is empty.');
  expect(faultOf(new TypeError())).toBe('TypeError');
  expect(faultOf('gone')).toBe('gone');
});
