/** A summary's text, split into sentences where its writer names the alerts of each; its model and figures. */
import type { Summary } from '../../api/alerts/feeds.ts';
import { counted } from '../../ui/numbers.ts';

export interface Sentence {
  text: string;
  /** It is based on alerts, and all of them have ended since it was written. */
  hasEnded: boolean;
}

/** In order; consecutive current sentences are joined. A summary without this data, or with data that contradicts its
 *  text, is not split. */
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

/** Called AI only where a model wrote it. */
export const summaryName = (summary: Summary | null | undefined): string =>
  summary?.metadata?.fallback ? 'Summary' : 'AI Summary';

/** "extractive-1", "18 events analysed", "214 completion tokens": those that are known. */
export function figures({ model, event_count, tokens_completion, tokens }: Summary): string[] {
  const completion = tokens_completion ?? tokens?.completion;
  return [
    model,
    event_count != null && `${counted(event_count, 'event')} analysed`,
    completion != null && counted(completion, 'completion token'),
  ].flatMap((figure) => figure || []);
}

/** Written by the built-in summariser, not by a model: it is never called "AI". */
export const isBuiltIn = ({ model, metadata }: Summary): boolean =>
  metadata?.fallback != null || Boolean(model?.startsWith('clearway-extract'));
