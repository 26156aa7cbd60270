/** Causes, in classes that exclude each other. */

const CAUSES: readonly (readonly [string, RegExp])[] = [
  [
    'collision',
    /\b(?:collisions?|collid\w*|crash\w*|accidents?|overturn\w*|on its side|tips over|jack-?knif\w*|pile-?up|struck|hits?(?! by (?!(?:an? |the )?(?:\w+ )?(?:car|van|lorry|hgv|truck|bus|coach|train|tram|taxi|vehicle|motorbike)\b))|rear-?ended|gone over|plough\w* into|rtc|rta|shunt|smash|carnage|(?:car|van|lorry|hgv|truck|bus|coach|bike|cyclist|motorbike|vehicle) (?:v|vs|versus|strikes?))\b/i,
  ],
  [
    'bridge',
    /\bbridge (?:strike|bash)|\bbridge (?:was |has been |is )?(?:hit|struck)\b|\b(?:lorry|van|truck|hgv|bus|coach|double-?decker|tractor|tanker|vehicle)\b[\w ]{0,20}\b(?:hits?|struck|strikes|stuck under|wedged under|under)\b[\w ]{0,25}\bbridge\b/i,
  ],
  [
    'breakdown',
    /\bbroken[- ]?down|\bconk\w* out|\bdisabled (?:aircraft|plane|vehicle)|\bbr(?:eaks?|oke) down|(?<!\b(?:passengers|commuters|travellers|people|fans|pupils|families) (?:were |are |left )?)\bstranded\b|\bbreakdown|\b(?:faulty|stuck|defective|failed) (?:train|bus|tram|coach|lorry)|\btrain (?:is )?(?:fault|stuck|fail)|\b(?:engine|mechanical) (?:fault|failure|problem|issue|trouble)|(?<=\b(?:MV|vessel|ferry|ship)\b[^]{0,80})\btechnical (?:issue|problem|fault)s?\b|\btechnical (?:issue|problem|fault)s? (?:with|on|aboard) (?:the )?(?:MV|vessel|ferry|ship)\b|\bbursts? (?:a )?tyre/i,
  ],
  ['water', /\bburst\b(?! (?:a )?tyre)|\bwater (?:main|leak|pipe)|\bleaking (?:main|pipe)/i],
  ['height', /\bover-?height\b/i],
  [
    'flood',
    /\bflood|\bwaves\b|\btidal\b|\b(?:standing|surface|under) water|\briver (?:rises|bursts)|\bsubmerged\b|\bis a (?:river|lake)\b/i,
  ],
  ['tree', /\btrees?\b|\bbranch(?:es)? (?:is |are |has |have )?(?:down|fallen|across)\b/i],
  [
    'fire',
    /\bfires?\b(?! (?:crew|service|engine))|\bsmoke\b|\bblaze\b|\bburning\b|\balight\b|\bablaze\b|\bflames?\b|\bburns\b/i,
  ],
  [
    'spill',
    /\bspill|\b(?:acid|chemical) leak|\bdebris|\bdiesel\b|\b(?:sheds?|lost) (?:its )?load|\ball over the (?:road|carriageway|motorway|[AM]\d)|\b(?:gravel|rubble|pallets?|planks?|ladders?|mattress(?:es)?)\b|\b(?:strewn|scattered)\b/i,
  ],
  ['snow', /\b(?:snow|ice|icy|blizzards?)\b/i],
  ['wind', /\b(?:winds?|windy|gales?|gusts?|storm \w+|blown)\b/i],
  ['landslip', /\b(?:land|mud) ?sl|\brock ?falls?\b/i],
  ['signals', /\bsignal/i],
  ['points', /\bpoints\b/i],
  ['power', /\bpower\b|\boverhead|\belectric|\bpantograph|\bde-?wire/i],
  ['rail', /\b(?:broken|cracked) rail|\b(?:track|rail) (?:defect|fault)/i],
  ['gas', /\bgas\b/i],
  [
    'security',
    /\bsuspicious|\bunattended|\bsecurity alert|\bbombs?\b|\bunexploded|\bexplosive|\bordnance\b|\bgrenade|\bpackage/i,
  ],
  ['violence', /\bstabb|\bshoot|\bshot\b|\bassault/i],
  ['demonstration', /\bdemonstrat|\bprotest|\bmarch(?:es|ers)?\b/i],
  ['event', /\b(?:match|concert|marathon|festival|fans|parade)\b/i],
  ['filming', /\bfilm(?:ing| crew)\b/i],
  ['visit', /\b(?:royal|state) visit\b/i],
  ['animal', /\b(?:animals?|cattle|cows?|horses?|sheep|deer|swans?)\b/i],
  ['load', /\babnormal load|\bwide load|\btransformer\b/i],
  ['ground', /\b(?:sinkhole|potholes?|subsidence)\b/i],
  ['welfare', /\bin distress|\bconcern for|\bwelfare/i],
  ['person', /\b(?:person|someone) (?:has been |was )?hit\b|\bcasualty/i],
  ['ill', /\btaken ill\b|\b(?:customer|passenger) incident\b/i],
  ['crew', /\bcrew\b(?<!fire crew)|\bstaff\b|\btrain cancellations/i],
  [
    'strike',
    /(?<!\b(?:bridge|lorry|hgv|van|truck|bus|car|vehicle|bird|lightning) )\b(?:strikes?|industrial action|walk-?outs?)\b/i,
  ],
  ['trespass', /\btrespass|\b(?:person|people|someone|youths) on the (?:track|line|railway)/i],
  ['fog', /\b(?:fog|low visibility)\b/i],
  ['drone', /\bdrones?\b/i],
  ['system', /\b(?:systems?|computers?|IT) (?:is |are )?(?:failures?|faults?|outages?|problems?|down)\b/i],
  ['berth', /\b(?:link ?span|ferry ramp|berth)\b/i],
  ['works', /\b(?:road ?works|works?|engineering|resurf\w+|maintenance|repairs?|carriageway renewal)\b/i],
];

const BUILDING = String.raw`(?:house|flats?|warehouse|factory|shop|mill|pub|hotel|building|industrial|school|recycling|garage|church|restaurant|premises|bungalow|unit|store|supermarket|farm|barn)`;
/** Words for a fire beside the road, which is not a vehicle's. */
const OF_BUILDING = new RegExp(
  String.raw`\b${BUILDING}\b[\w ]{0,20}\b(?:fire|blaze)|\b(?:fire|blaze)s? (?:at|in) (?:an? |the )?(?:\w+ ){0,3}${BUILDING}\b`,
  'i',
);

/** The causes in the first of these texts that gives any. */
export function causesIn(eventType: string, texts: readonly string[]): ReadonlySet<string> {
  if (eventType.endsWith('works'))
    return new Set(['works', ...(/\bwater main/i.test(texts.join(' ')) ? ['water'] : [])]);
  for (const text of texts) {
    const causes = CAUSES.flatMap(([cause, words]) => (words.test(text) ? cause : []));
    const isBuilding = causes.includes('fire') && OF_BUILDING.test(text);
    if (causes.length > 0)
      return new Set(isBuilding ? causes.map((cause) => (cause === 'fire' ? 'building' : cause)) : causes);
  }
  return new Set();
}

/** Classes that one event can have together: words for one do not contradict words for another. */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['flood', 'landslip']),
  new Set(['wind', 'tree', 'power', 'flood']),
  new Set(['fire', 'signals', 'power', 'points']),
  new Set(['collision', 'fire']),
  new Set(['fire', 'building']),
  new Set(['building', 'gas']),
  new Set(['height', 'bridge']),
  new Set(['signals', 'points', 'power']),
  new Set(['demonstration', 'event']),
  new Set(['person', 'collision']),
  new Set(['person', 'trespass', 'welfare']),
  new Set(['person', 'ill']),
];

/** Whether the causes contradict. They do only if both reports give some and no event can have both. If they have
 *  none in common, each must be possible with each. */
export function causesContradict(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return false;
  if ([...one].some((cause) => other.has(cause))) return false;
  return ![...one].every((cause) =>
    [...other].every((another) => TOGETHER.some((family) => family.has(cause) && family.has(another))),
  );
}
