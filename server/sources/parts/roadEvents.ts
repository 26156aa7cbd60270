/** Kinds of road events by the words that UK publishers use; the first matching line counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\broad ?works?\b|\bmaintenance\b|\bresurfacing\b|\bconstruction\b/i, 'road.roadworks'],
  [/\baccident\b|\bcollision\b|\bcrash\b/i, 'road.accident'],
  [/\bbreakdown\b|\bbroken[ -]down\b/i, 'road.breakdown'],
  [/\bflood|\bsnow\b|\bice\b|\bfog\b|\bwinds?\b|\bweather\b|\benvironment\b/i, 'road.weather'],
  [/\bobstruction\b|\bdebris\b|\bfallen tree\b|\banimals?\b/i, 'road.obstruction'],
  [/\bclos(?:ed|ure)\b/i, 'road.closure'],
  [/\bqueu|\bcongestion\b|\babnormal traffic\b|\bdelays?\b/i, 'road.congestion'],
];

/** `road.incident` for everything else. */
export function roadEventType(words: string): string {
  return KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'road.incident';
}
