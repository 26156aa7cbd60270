import { expect, it } from 'vitest';
import type { ChangeKind } from '#contract/incidents/changes.ts';
import type { Content } from '../../../../server/incidents/incidentFields.ts';
import { changeOf } from '../../../../server/incidents/lifecycle/changeKind.ts';
import { incident } from '../incidents.ts';

const content = (changes: Partial<Content> = {}): Content => incident({ event_id: 'a', ...changes });
const planned = { phase: 'planned' as const };

interface Case {
  rule: string;
  /** Null: none was in force. */
  before: Partial<Content> | null;
  after?: Partial<Content>;
  kind: ChangeKind | null;
}

const CASES: Case[] = [
  { rule: 'one that was not in force began', before: null, kind: 'began' },
  { rule: 'so did one that is only planned', before: null, after: planned, kind: 'began' },
  { rule: 'a higher severity is worse', before: { severity: 'medium' }, kind: 'worse' },
  {
    rule: 'also of one that is planned',
    before: { severity: 'low', ...planned },
    after: planned,
    kind: 'worse',
  },
  { rule: 'whatever else changed', before: { severity: 'low', title: 'Old' }, kind: 'worse' },
  { rule: 'a lower one is better', before: { severity: 'critical' }, kind: 'better' },
  { rule: 'a planned one that is active started', before: planned, kind: 'started' },
  { rule: 'even if its severity rose', before: { severity: 'low', ...planned }, kind: 'started' },
  { rule: 'or fell', before: { severity: 'critical', ...planned }, kind: 'started' },
  { rule: 'an active one that is planned again changed', before: {}, after: planned, kind: 'changed' },
  {
    rule: 'even if its severity changed',
    before: { severity: 'critical' },
    after: planned,
    kind: 'changed',
  },
  { rule: 'another title is a change', before: { title: 'Old' }, kind: 'changed' },
  { rule: 'another summary', before: { summary_line: 'Old' }, kind: 'changed' },
  { rule: 'another start', before: { start_time: '2026-11-21T09:00:00.000Z' }, kind: 'changed' },
  { rule: 'another end', before: { end_time: '2026-11-21T19:00:00.000Z' }, kind: 'changed' },
  { rule: 'another position', before: { latitude: 51.5, longitude: -3.2 }, kind: 'changed' },
  {
    rule: 'another type, which conditions ask for',
    before: { event_type: 'road.roadworks' },
    kind: 'changed',
  },
  {
    rule: 'a grade that was only assumed and now is given',
    before: { metadata: { severity_unrated: true } },
    kind: 'changed',
  },
  {
    rule: 'one that is no longer given',
    before: {},
    after: { metadata: { severity_unrated: true } },
    kind: 'changed',
  },
  {
    rule: 'a new time of change alone is none',
    before: { updated_at: '2026-11-21T09:00:00.000Z' },
    kind: null,
  },
  { rule: 'nor are other details', before: { metadata: { links: [] } }, kind: null },
  { rule: 'nor is what we read out of the words', before: { facts: undefined }, kind: null },
  {
    rule: 'an operator that runs normally is no incident',
    before: null,
    after: { kind: 'status' },
    kind: null,
  },
  {
    rule: 'nor is a change of it',
    before: { kind: 'status', title: 'Old' },
    after: { kind: 'status' },
    kind: null,
  },
  { rule: 'its disruption began', before: { kind: 'status' }, kind: 'began' },
  { rule: 'and ended', before: {}, after: { kind: 'status' }, kind: 'ended' },
];

it.each(CASES)('$rule', ({ before, after, kind }) => {
  const was = before && content(before);
  expect(changeOf(was ? { ...was, content: was as never } : undefined, content(after))).toBe(kind);
});

it('an incident that is listed with the same hash has not changed', () => {
  expect(changeOf({ kind: 'alert', severity: 'high', phase: 'active' }, content())).toBeNull();
});
