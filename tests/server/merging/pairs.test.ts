/** Which reports the rule takes for one incident, against pairs that were judged by hand. */
import { describe, expect, it } from 'vitest';
import { merge } from '../../../server/merging/merge.ts';
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
