/** Why it happened, in classes that exclude each other. */

const CAUSES: readonly (readonly [string, RegExp])[] = [
  [
    'collision',
    /\b(?:collisions?|collid\w*|crash\w*|accidents?|overturn\w*|on its side|tips over|jack-?knif\w*|pile-?up|struck|hits?)\b/i,
  ],
  ['breakdown', /\bbroken[- ]?down|\bbreaks? down|\bbreakdown|\bfaulty train|\btrain fault/i],
  ['water', /\bburst\b|\bwater main/i],
  ['flood', /\bflood|\b(?:standing|surface|under) water|\briver rises/i],
  ['tree', /\btrees?\b/i],
  ['fire', /\bfires?\b(?! (?:crew|service))|\bsmoke\b/i],
  ['spill', /\bspill|\b(?:acid|chemical) leak|\bdebris|\bdiesel\b|\bsheds? (?:its )?load/i],
  ['snow', /\b(?:snow|ice|icy)\b/i],
  ['wind', /\b(?:winds?|windy|gales?|gusts?)\b/i],
  ['landslip', /\bland ?sl/i],
  ['signals', /\bsignal/i],
  ['points', /\bpoints\b/i],
  ['power', /\bpower\b|\boverhead|\belectric/i],
  ['rail', /\bbroken rail/i],
  ['gas', /\bgas\b/i],
  ['security', /\bsuspicious|\bunattended|\bsecurity alert|\bbomb\b|\bpackage/i],
  ['violence', /\bstabb|\bshoot|\bshot\b|\bassault/i],
  ['demonstration', /\bdemonstrat|\bprotest|\bmarch(?:es|ers)?\b/i],
  ['event', /\b(?:match|concert|marathon|festival|fans|parade)\b/i],
  ['filming', /\bfilm(?:ing| crew)\b/i],
  ['visit', /\b(?:royal|state) visit\b/i],
  ['animal', /\b(?:animals?|cattle|cows?|horses?|sheep|deer|swans?)\b/i],
  ['load', /\babnormal load|\bwide load|\btransformer\b/i],
  ['ground', /\b(?:sinkhole|potholes?|subsidence)\b/i],
  ['person', /\bin distress|\bconcern for|\bwelfare|\bperson (?:has been |was )?hit\b|\bcasualty/i],
  ['crew', /\bcrew\b(?<!fire crew)|\bstaff\b|\btrain cancellations/i],
  ['strike', /\b(?:strikes?|industrial action|walk-?outs?)\b/i],
  ['trespass', /\btrespass/i],
  ['works', /\b(?:road ?works|works?|engineering|resurfacing|maintenance)\b/i],
];

/** Of the first of these texts that gives any. */
export function causesIn(eventType: string, texts: readonly string[]): ReadonlySet<string> {
  if (eventType.endsWith('works'))
    return new Set(['works', ...(/\bwater main/i.test(texts.join(' ')) ? ['water'] : [])]);
  for (const text of texts) {
    const causes = CAUSES.flatMap(([cause, words]) => (words.test(text) ? cause : []));
    if (causes.length > 0) return new Set(causes);
  }
  return new Set();
}
