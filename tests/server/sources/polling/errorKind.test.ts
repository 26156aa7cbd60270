import { expect, it } from 'vitest';
import { type ErrorKind, errorKindOf, TooSlow } from '../../../../server/sources/polling/poll.ts';
import { errorOf, faultFor } from '../../../../server/sources/polling/readingMessages.ts';
import { DownloadFailed } from '../../../../server/http/documents/download.ts';

const CASES: [error: Error, kind: ErrorKind][] = [
  [new TooSlow('The collector did not finish within 120 s.'), 'timeout'],
  [new DownloadFailed('answered 403', { status: 403 }), 'refused'],
  [new DownloadFailed('answered 429', { status: 429 }), 'refused'],
  [new DownloadFailed('answered 503', { status: 503 }), 'upstream'],
  [new DownloadFailed('connection refused'), 'unreachable'],
  [new DownloadFailed('the answer is empty', { status: 200 }), 'unreadable'],
  [new Error('The document is no list.'), 'unreadable'],
];

it.each(CASES)('%s is %s', (error, kind) => {
  expect(errorKindOf(error)).toBe(kind);
});

it.each(CASES.slice(1))('also when it comes from the reading thread: %s', (error, kind) => {
  expect(errorKindOf(errorOf(structuredClone(faultFor(error))))).toBe(kind);
});
