/** When sources were silent for longer than their data may be relied on. */
import type { HistoryTimeline } from '#contract/history/history.ts';
import { history } from './pastStore.ts';
import { iso } from '../../db/instant.ts';
import type { Db } from '../../db/open.ts';
import { type Declared, spans } from '../freshness.ts';

type Silence = HistoryTimeline['silent'][number];

/** In order of time. */
export async function silencesBetween(
  { db, collectors }: { db: Db; collectors: readonly Declared[] },
  { from, to, now }: { from: Date; to: Date; now: Date },
): Promise<Silence[]> {
  const asked = new Set(await history(db).sources());
  const found: Silence[] = [];
  for (const collector of collectors.filter(({ source }) => asked.has(source))) {
    const good = await history(db).goodPolls(collector.source, from, to);
    found.push(...silencesOf(collector.source, good, { ...spans(collector), from, to, now }));
  }
  return found.sort((one, other) => (one.from < other.from ? -1 : 1));
}

/** `good`: in order. */
function silencesOf(
  source: string,
  good: readonly string[],
  { maxAgeMs, from, to, now }: { maxAgeMs: number; from: Date; to: Date; now: Date },
): Silence[] {
  return good.flatMap((last, index): Silence[] => {
    const next = good[index + 1];
    const until = next === undefined ? now : new Date(next);
    if (until.getTime() - Date.parse(last) <= maxAgeMs) return [];
    if (until <= from || Date.parse(last) >= to.getTime()) return [];
    return [
      {
        source,
        from: iso(new Date(Math.max(Date.parse(last), from.getTime()))),
        to: next === undefined ? null : iso(new Date(Math.min(until.getTime(), to.getTime()))),
      },
    ];
  });
}
