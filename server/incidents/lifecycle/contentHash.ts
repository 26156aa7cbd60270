/**
 * A hash by which an unchanged incident is known: `<make-up>.<what the publisher says>.<what we read out of it>`.
 * The make-up stands for the fields in the middle part: hashes of different make-ups say nothing about each other.
 */
import { hash } from 'node:crypto';
import type { DisruptionRecord } from '../collector.ts';
import { CONTENT, type Content, FIELDS } from '../incidentFields.ts';

/** Raise it when the middle part is made in another way from the same fields. */
const FORM = 1;

const SAID = FIELDS.filter((field) => CONTENT[field] !== 'derived');
const DERIVED = FIELDS.filter((field) => CONTENT[field] === 'derived');

const shortHash = (value: unknown, length: number) =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

const MAKE_UP = shortHash([FORM, SAID], 6);

/** A shape counts as read out of the rest: a finer line or a new way to draw it is no news of the publisher's. */
export function hashOf({ shape, ...content }: Content & Pick<DisruptionRecord, 'shape'>): string {
  // `clock_skew` is ours, not published content: it stays as it was when the content arrived.
  const of = { ...content, metadata: { ...content.metadata, clock_skew: undefined } };
  const derived: unknown[] = DERIVED.map((field) => of[field]);
  if (shape) derived.push(shape.geometry);
  const said = SAID.map((field) => of[field]);
  return `${MAKE_UP}.${shortHash(said, 27)}.${derived.some(Boolean) ? shortHash(derived, 27) : ''}`;
}

/** Whether both are of the same words of the publisher; null when their make-ups differ. */
export function isSameSaid(one: string, other: string): boolean | null {
  const [makeUp, said] = one.split('.');
  const [otherMakeUp, otherSaid] = other.split('.');
  return makeUp === otherMakeUp ? said === otherSaid : null;
}
