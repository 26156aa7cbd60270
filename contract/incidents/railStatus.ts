/** The meaning of a rail operator's status text. */

/** Worst first. */
export const RAIL_STATUS_CLASSES = ['severe', 'moderate', 'minor', 'good'] as const;
export type RailStatusClass = (typeof RAIL_STATUS_CLASSES)[number];

/** Tried in this order; the first class with a word in the text applies. */
const WORDS: readonly (readonly [RailStatusClass, readonly string[]])[] = [
  ['good', ['good service', 'normal service', 'good']],
  ['severe', ['suspend', 'no service', 'severe', 'closed']],
  ['moderate', ['reduced service', 'significant', 'limited', 'disruption', 'buses replace', 'revised']],
];

/** The class of the publisher's free status text. A text that no rule matches is minor, never good. */
export function railStatusClass(status: string): RailStatusClass {
  const text = railStatusText(status).toLowerCase();
  return WORDS.find(([, words]) => words.some((word) => text.includes(word)))?.[0] ?? 'minor';
}

/** The status as shown: the publisher's "Custom" means nothing to a reader. */
export function railStatusText(status: string): string {
  return status.trim().toLowerCase() === 'custom' ? 'Disruption' : status.trim();
}
