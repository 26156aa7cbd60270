import { describe, expect, it } from 'vitest';
import { merge } from '../../../../server/incidents/merging/merge.ts';
import { sameIncident } from '../../../../server/incidents/merging/sameIncident.ts';
import type { DisruptionRecord } from '../../../../server/incidents/collector.ts';
import { asReports, PAIRS, sourceOf } from './pairs.ts';

const judged = PAIRS.map((pair) => {
  const [merged] = merge(asReports(pair.records));
  return { ...pair, evidence: merged?.others[0]?.evidence ?? null };
});

const lineOf = ({ name, why, evidence }: (typeof judged)[number]) => `${name}: ${evidence?.words ?? why}`;

describe('the labelled pairs', () => {
  const right = judged.filter(({ isSame, evidence }) => isSame && evidence);
  const missed = judged.filter(({ isSame, evidence }) => isSame && !evidence);
  const wrong = judged.filter(({ isSame, evidence }) => !isSame && evidence);

  it('are at least 120, half of them one incident, each of different sources and with its reason', () => {
    const same = judged.filter(({ isSame }) => isSame).length;
    expect(judged.length).toBeGreaterThanOrEqual(120);
    expect(Math.abs(same - judged.length / 2)).toBeLessThan(judged.length / 20);
    expect(new Set(judged.map(({ name }) => name)).size).toBe(judged.length);
    for (const { records } of judged) expect(sourceOf(records[0])).not.toBe(sourceOf(records[1]));
  });

  it('are merged with a precision of at least 0.98 and a recall of at least 0.8', () => {
    const precision = right.length / (right.length + wrong.length);
    const recall = right.length / (right.length + missed.length);
    console.info(
      [
        `Of ${judged.length} pairs: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}.`,
        ...wrong.map((pair) => `wrongly merged: ${lineOf(pair)}`),
        ...missed.map((pair) => `missed: ${lineOf(pair)}`),
      ].join('\n  '),
    );
    expect(precision, wrong.map(lineOf).join('\n')).toBeGreaterThanOrEqual(0.98);
    expect(recall, missed.map(lineOf).join('\n')).toBeGreaterThanOrEqual(0.8);
  });
});

describe('the reports of all pairs, each compared with all others', () => {
  const reports = [
    ...new Map(PAIRS.flatMap(({ records }) => records).map((record) => [wordsOf(record), record])).values(),
  ];
  /** A pair says so, or two pairs say so about a third. */
  const isKnown = unionOf(PAIRS.filter(({ isSame }) => isSame).map(({ records }) => records.map(wordsOf)));

  it('are merged beyond the pairs only as the table says, which a person has read', async () => {
    const lines: string[] = [];
    const read = reports.flatMap((record, at) => {
      const own = { ...record, event_id: `${sourceOf(record)}:${at}`, metadata: withoutLinks(record) };
      return asReports([own]).map((report) => ({ report, words: wordsOf(record) }));
    });
    for (const [at, one] of read.entries()) {
      for (const other of read.slice(at + 1)) {
        const evidence = sameIncident(one.report, other.report);
        if (evidence && !isKnown(one.words, other.words))
          lines.push(`- ${one.words}\n  ${other.words}\n  ${evidence.words}`);
      }
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../fixtures/merging/beyond.txt');
  });
});

function withoutLinks({ metadata }: DisruptionRecord): DisruptionRecord['metadata'] {
  return { ...metadata, related_event_ids: [] };
}

function wordsOf(record: DisruptionRecord): string {
  return `${sourceOf(record)} ${record.start_time!.slice(11, 16)}: ${record.title} | ${record.summary_line}`;
}

/** Whether the pairs put two reports into one group. */
function unionOf(pairs: readonly (readonly string[])[]): (one: string, other: string) => boolean {
  const groupOf = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const joined = new Set(pair.flatMap((word) => [...(groupOf.get(word) ?? [word])]));
    for (const word of joined) groupOf.set(word, joined);
  }
  return (one, other) => groupOf.get(one)?.has(other) ?? false;
}
