/** The plan of a poll for a source's incidents: which begin, change and end, and why. Nothing is stored here. The
 *  numbers of one source (`absentPolls`) stand in its file in server/sources. */
import type { EndedReason } from '#contract/incidents/disruptions.ts';
import { minutesBefore } from '../../db/instant.ts';
import { endOf } from '../../db/changeLog.ts';
import { changeOf } from './changeKind.ts';
import type { Incident, InForce, Plan, Standing } from './lifecycleStore.ts';
import { VERSIONED } from './versions.ts';
import type { Collected, DisruptionRecord } from '../collector.ts';
import { type Content, CONTENT, FIELDS } from '../incidentFields.ts';
import { hash } from 'node:crypto';

/** A source that is never empty must be empty in this many polls in a row before we believe it. */
const SUSPECT_POLLS_TO_CONFIRM = 3;

/** A record in the form in which it will be stored. */
export interface Listed {
  record: DisruptionRecord;
  content_hash: string;
}

export interface Poll extends Pick<Collected, 'complete' | 'listedSince'> {
  /** By id. */
  listed: ReadonlyMap<string, Listed>;
  /** Ids of incidents that are listed as over. */
  over: ReadonlySet<string>;
  /** Ids of listed records that could not be read: nobody knows whether these are over. */
  unreadable: ReadonlySet<string>;
  absentPolls: number;
  neverEmpty: boolean;
  maxAgeMinutes?: number;
  /** Stored times have this form. */
  at: string;
}

/** The plan for every incident that is listed or in force. */
export function planPoll(poll: Poll, { inForce, suspectPolls: suspectBefore }: Standing): Plan {
  const { listed, complete, unreadable, at } = poll;
  const absent = inForce.filter(({ event_id }) => !listed.has(event_id));
  // An incomplete poll ends nothing.
  const isOver = ({ event_id }: InForce) => complete && poll.over.has(event_id) && !unreadable.has(event_id);
  const isCollapse = poll.neverEmpty && listed.size === 0 && !absent.every(isOver);
  const suspectPolls = isCollapse ? suspectBefore + (complete ? 1 : 0) : 0;
  const isConfirmed = suspectPolls >= SUSPECT_POLLS_TO_CONFIRM;
  const isSuspect = isCollapse && !isConfirmed;
  const plan: Plan = {
    begins: [],
    changes: [],
    ends: [],
    returns: [],
    missing: [],
    unseen: [],
    log: [],
    unchanged: 0,
    isSuspect,
    // The count ends when the result is confirmed.
    suspectPolls: isConfirmed ? 0 : suspectPolls,
  };

  const before = new Map(inForce.map((row) => [row.event_id, row]));
  for (const [id, one] of listed) planListed(plan, one, before.get(id), at);

  const isConclusive = complete && !isSuspect;
  // A confirmed empty result was seen in more polls than any source requires.
  const pollsToEnd = isConfirmed ? 1 : poll.absentPolls;
  const oldest = poll.maxAgeMinutes === undefined ? '' : minutesBefore(at, poll.maxAgeMinutes);
  for (const row of absent) {
    const { event_id } = row;
    // Whether its absence counts: a record that could not be read may be listed, and a list of only the newest items
    // leaves out older ones.
    const isLookedFor = !unreadable.has(event_id) && row.updated_at >= (poll.listedSince ?? '');
    const mayEnd = isLookedFor && isConclusive;
    const isTooOld = isLookedFor && !complete && row.unseen === 1 && row.last_seen_at < oldest;
    // If it is no longer listed after its end time, the end time is the reason.
    const end = (reason: EndedReason) => {
      const why = reason !== 'expired' && isPast(row, at) ? 'end_time' : reason;
      plan.ends.push({ event_id, why });
      plan.log.push(...endOf(row, why));
    };
    if (isOver(row)) end('publisher');
    else if (mayEnd && row.absent_polls + 1 >= pollsToEnd) end('absent');
    else if (mayEnd) plan.missing.push(event_id);
    else if (isTooOld) end('expired');
    else if (!row.unseen) plan.unseen.push(event_id);
    else plan.unchanged += 1;
  }
  return plan;
}

function planListed(plan: Plan, one: Listed, before: InForce | undefined, at: string): void {
  const { event_id } = one.record;
  if (hasPassed(one.record, at)) {
    // Publishers keep listing incidents that are over; only incidents in force can end.
    if (!before) return;
    const incident = incidentOf(one, before, at);
    plan.ends.push({ event_id, why: 'end_time', incident });
    plan.log.push(...endOf(before, 'end_time', incident));
  } else if (!before) {
    const incident = incidentOf(one, undefined, at);
    plan.begins.push(incident);
    note(plan, before, incident);
  } else if (before.content_hash !== one.content_hash || before.last_seen_at > at) {
    // In the latter case the row was written by a clock that was ahead, so its times are corrected.
    const incident = incidentOf(one, before, at);
    plan.changes.push(incident);
    note(plan, before, incident);
  } else if (before.unseen || before.absent_polls) {
    plan.returns.push(event_id);
  } else {
    plan.unchanged += 1;
  }
}

function note(plan: Plan, before: InForce | undefined, after: Incident): void {
  const kind = changeOf(before, after);
  if (!kind) return;
  const { event_id, severity, phase } = after;
  const severity_from = kind === 'began' ? null : (before?.severity ?? null);
  plan.log.push({ event_id, kind, severity_from, severity_to: severity, phase_to: phase });
}

const isPast = ({ ends_on_time, end_time }: InForce, at: string) =>
  ends_on_time === 1 && end_time !== null && end_time <= at;

const trustsStatus = ({ metadata }: DisruptionRecord) => metadata['trust_status'] === true;

const hasPassed = (record: DisruptionRecord, at: string) =>
  record.end_time !== null && record.end_time <= at && !trustsStatus(record);

/** When the present state of an incident began: by its publisher, otherwise by the change that gave it another grade
 *  or effect. Null while it is as at its beginning. If we read the same words differently, that is no change. */
function sinceOf(
  record: DisruptionRecord,
  before: InForce | undefined,
  isSame: boolean,
  at: string,
): string | null {
  if (record.since) return record.since <= at ? record.since : null;
  const { content } = before ?? {};
  if (!content) return null;
  const isAsBefore =
    isSame ||
    content.phase !== record.phase ||
    (content.severity === record.severity && content.facts?.effect === record.facts?.effect);
  if (isAsBefore) return content.since ?? null;
  const changed = record.updated_at;
  const isDated = changed !== null && changed > (before?.updated_at ?? '') && changed <= at;
  return isDated ? changed : at;
}

/** Whether the publisher still says the same. If the hash itself is made differently, only a new version of the
 *  record counts as a change, so that old incidents do not get a new time because we compare them differently. */
function saysTheSame(before: InForce, { record, content_hash }: Listed): boolean {
  const isSame = isSameSaid(before.content_hash, content_hash);
  if (isSame !== null) return isSame;
  const { content } = before;
  // If the publisher gives no start, it was filled in.
  return (
    content !== undefined && VERSIONED.every((field) => (record[field] ?? content[field]) === content[field])
  );
}

function incidentOf(one: Listed, inForce: InForce | undefined, at: string): Incident {
  const { record, content_hash } = one;
  // If an operator is disrupted again, that is a new disruption, although the operator was always listed.
  const before = inForce?.kind === record.kind ? inForce : undefined;
  // We cannot have seen anything later than now.
  const seen = (time: string | undefined) => (time && time <= at ? time : at);
  const isSame = before && saysTheSame(before, one);
  const hasBegun = record.start_time !== null && record.start_time <= at;
  // Whether its time was ahead of our clock is known from when this content arrived.
  const content = isSame ? before.content : undefined;
  const metadata = content
    ? { ...record.metadata, clock_skew: content.metadata.clock_skew }
    : record.metadata;
  return {
    ...record,
    metadata: record.start_time === null ? { ...metadata, start_seen: true } : metadata,
    // If the publisher gives no time, a change has the time when we saw it, and a new incident its start, unless that
    // is in the future.
    updated_at:
      record.updated_at ??
      (!before && hasBegun ? record.start_time : null) ??
      (isSame ? seen(before.updated_at) : at),
    start_time: record.start_time ?? seen(before?.start_time),
    since: sinceOf(record, before, isSame === true, at),
    ends_on_time: !trustsStatus(record),
    content_hash,
    first_seen_at: seen(before?.first_seen_at),
  };
}

// A hash that shows that an incident has not changed: `<form>.<the publisher's content>.<what we read from it>`. The
// form stands for the fields in the middle part: hashes of different forms cannot be compared.

/** Raise it when the middle part is made in another way from the same fields. */
const FORM = 1;

const SAID = FIELDS.filter((field) => CONTENT[field] !== 'derived');
const DERIVED = FIELDS.filter((field) => CONTENT[field] === 'derived');

const shortHash = (value: unknown, length: number) =>
  hash('sha256', JSON.stringify(value), 'base64url').slice(0, length);

const MAKE_UP = shortHash([FORM, SAID], 6);

/** The hash of the content. A shape counts as read from the rest: a finer line, or a new way to draw it, is no news
 *  from the publisher. */
export function hashOf({ shape, ...content }: Content & Pick<DisruptionRecord, 'shape'>): string {
  // `clock_skew` is ours and not published content: it keeps its value from when the content arrived.
  const of = { ...content, metadata: { ...content.metadata, clock_skew: undefined } };
  const derived: unknown[] = DERIVED.map((field) => of[field]);
  if (shape) derived.push(shape.geometry);
  const said = SAID.map((field) => of[field]);
  return `${MAKE_UP}.${shortHash(said, 27)}.${derived.some(Boolean) ? shortHash(derived, 27) : ''}`;
}

/** Whether both hashes are of the same words of the publisher; null when their forms differ. */
function isSameSaid(one: string, other: string): boolean | null {
  const [makeUp, said] = one.split('.');
  const [otherMakeUp, otherSaid] = other.split('.');
  return makeUp === otherMakeUp ? said === otherSaid : null;
}
