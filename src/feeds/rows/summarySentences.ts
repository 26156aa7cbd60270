/** A summary's text, its model and its figures. The text is split into sentences if the writer names the alerts of
 *  each. */
import type { Summary } from '../../api/alerts/feeds.ts';
import { counted } from '#contract/numbers.ts';

export interface Sentence {
  text: string;
  /** True: the sentence is based on alerts, and all of them have ended since it was written. */
  hasEnded: boolean;
}

/** The sentences in order. Current sentences that follow each other are joined. A summary without this data, or with
 *  data that contradicts its text, is not split. */
export function sentencesOf({ text, metadata }: Summary): Sentence[] {
  const whole = text?.trim() ?? '';
  const sentences = metadata?.sentences ?? [];
  const ended = new Set(metadata?.ended_event_ids);
  if (sentences.map((sentence) => sentence.text ?? '').join(' ') !== whole)
    return [{ text: whole, hasEnded: false }];

  const parts: Sentence[] = [];
  for (const { text: words, event_ids } of sentences) {
    const hasEnded = Boolean(event_ids?.length) && event_ids!.every((id) => ended.has(id)); // it has some
    const last = parts.at(-1);
    if (last && !last.hasEnded && !hasEnded) last.text += ` ${words}`;
    else parts.push({ text: words ?? '', hasEnded });
  }
  return parts;
}

/** The name of a summary. It has "AI" in it only if a model wrote it. */
export const summaryName = (summary: Summary | null | undefined): string =>
  summary?.metadata?.fallback ? 'Summary' : 'AI Summary';

/** The known figures: "extractive-1", "18 events analysed", "214 completion tokens". */
export function figures({ model, event_count, tokens_completion, tokens }: Summary): string[] {
  const completion = tokens_completion ?? tokens?.completion;
  return [
    model,
    event_count != null && `${counted(event_count, 'event')} analysed`,
    completion != null && counted(completion, 'completion token'),
  ].flatMap((figure) => figure || []);
}

/** Whether the built-in summariser wrote it and no model. It is never called "AI". */
export const isBuiltIn = ({ model, metadata }: Summary): boolean =>
  metadata?.fallback != null || Boolean(model?.startsWith('clearway-extract'));
