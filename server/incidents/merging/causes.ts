/** Causes, in classes that exclude each other. */

const CAUSES: readonly (readonly [string, RegExp])[] = [
  [
    'collision',
    /\b(?:collisions?|collid\w*|crash\w*|accidents?|overturn\w*|on (?:its|their) (?:side|roof)|tip(?:s|ped) over|roll(?:s|ed) over|flip(?:s|ped) over|(?:car|van|lorry|hgv|truck|bus|coach|caravan|trailer|tanker|tractor|motorhome|transporter|bike|motorbike|artic|wagon) (?:has |have |had )?(?:gone |went )?over(?= (?:on|at|in|near|across)\b)|jack-?knif\w*|pile-?up|struck|hits?(?! by (?!(?:an? |the )?(?:\w+ )?(?:car|van|lorry|hgv|truck|bus|coach|train|tram|taxi|vehicle|motorbike)\b))|rear-?ended|gone over|plough\w* into|rtc|rta|shunt|smash|carnage|(?:car|van|lorry|hgv|truck|bus|coach|bike|cyclist|motorbike|vehicle) (?:v|vs|versus|strikes?))\b/i,
  ],
  [
    'bridge',
    /\bbridge (?:strike|bash)|\bbridge (?:was |has been |is )?(?:hit|struck)\b|\b(?:lorry|van|truck|hgv|bus|coach|double-?decker|tractor|tanker|vehicle)\b[\w ]{0,20}\b(?:hits?|struck|strikes|stuck under|wedged under|under)\b[\w ]{0,25}\bbridge\b/i,
  ],
  [
    'breakdown',
    /\bbroken[- ]?down|\bconk\w* out|\bdisabled (?:aircraft|plane|vehicle)|\bbr(?:eaks?|oke) down|(?<!\b(?:passengers|commuters|travellers|people|fans|pupils|families) (?:were |are |left )?)\bstranded\b|\bbreakdown|\b(?:faulty|stuck|defective|failed|disabled) (?:train|bus|tram|coach|lorry|hgv|car|van)|\btrain (?:is )?(?:fault|stuck|fail)|\b(?:engine|mechanical) (?:fault|failure|problem|issue|trouble)|(?<=\b(?:MV|vessel|ferry|ship)\b[^]{0,80})\btechnical (?:issue|problem|fault)s?\b|\btechnical (?:issue|problem|fault)s? (?:with|on|aboard) (?:the )?(?:MV|vessel|ferry|ship)\b|\bbursts? (?:a )?tyre/i,
  ],
  [
    'water',
    /\bburst\b(?! (?:a |its |their )?(?:tyre|bank))|\b(?:mains?|pipes?) (?:has |have )?(?:burst|broke|fail|leak)\w*|\bwater (?:main|leak|pipe|gush|pour)|\b(?:leaking|broken|fractured|ruptured|split) (?:water )?(?:main|pipe)/i,
  ],
  [
    'height',
    /\bover-?height\b|\b(?:too (?:tall|high)|(?:height|headroom) (?:sign|limit|restriction|barrier|check)s?)\b/i,
  ],
  [
    'flood',
    /\bflood|\bwaves\b|\btidal\b|\b(?:standing|surface|under|deep) water|\briver (?:rises|bursts)|\bsubmerged\b|\bis a (?:river|lake)\b|\bovertop|\b(?:over|burst\w*|broke\w*|out of) (?:its|their|the) banks?\b/i,
  ],
  // "The Severn is across the carriageway". A street is no river: "on the Westway on approach to Paddington".
  [
    'flood',
    /\b(?:[Rr]iver|[Aa]fon) \p{Lu}\p{Ll}+ (?:has |have |had |is |was )?(?:come|came|comes|coming|over|across|on|risen|rises|rising|spill\w*|pour\w*|flow\w*|running|all over|up to)\b/u,
  ],
  [
    'flood',
    /\b[Tt]he (?:Aire|Avon|Calder|Clyde|Conwy|Dee|Derwent|Don|Earn|Eden|Exe|Forth|Lune|Medway|Mersey|Nene|Ouse|Ribble|Severn|Spey|Stour|Swale|Taff|Tay|Tees|Teifi|Teme|Teviot|Thames|Towy|Trent|Tweed|Tyne|Ure|Usk|Wear|Welland|Wharfe|Wye) (?:has |is |was )(?:come|came|over|across|on|risen|rising|spilled|burst|up|flowing|running|all over)\b/,
  ],
  ['tree', /\btrees?\b(?! surge)|\bbranch(?:es)? (?:is |are |has |have )?(?:down|fallen|across)\b/i],
  [
    'fire',
    /\bfires?\b(?! (?:crew|service|engine))|\bsmoke\b|\bblaze\b|\bburning\b|\balight\b|\bablaze\b|\bflames?\b|\bburns\b|\b(?:caught|catches|catching) light\b|\bup in (?:smoke|flames)\b/i,
  ],
  [
    'spill',
    /\bspill|\bspilt\b|\b(?:shed|dropped) (?:its |a |their )?(?:\w+ )?load\b|\b(?:acid|chemical) leak|\bdebris|\bdiesel\b|\b(?:sheds?|lost) (?:its )?load|\ball over the (?:road|carriageway|motorway|[AM]\d)|\b(?:gravel|rubble|pallets?|planks?|ladders?|mattress(?:es)?)\b|\b(?:strewn|scattered)\b/i,
  ],
  ['snow', /\b(?:snow|ice|icy|blizzards?)\b/i],
  ['wind', /\b(?:winds?|windy|gales?|gusts?|gusting|storm \w+|blown|blustery)\b/i],
  [
    'landslip',
    /\b(?:land|mud|rock) ?sl|\brock ?falls?\b|\b(?:rocks?|boulders?|debris|hillside|slope|cliff|embankment|earth|mud) (?:has |have |had |is |are |was |were )?(?:come|came|coming|fell|fallen|falls|slipped|gave way|given way|collaps\w*|slid)\b|\b(?:cliff|embankment|slope) (?:slip|fall|failure|collapse)/i,
  ],
  ['signals', /\bsignal(?!l?(?:ers?|m[ae]n)\b)/i],
  [
    'crossing',
    /\blevel[- ]crossing|\bcrossing (?:barriers?|gates?)\b|\b(?:barriers?|gates?) (?:of|at|on) (?:the |a )?(?:\p{L}+ ){0,3}crossing\b/iu,
  ],
  ['points', /\bpoints\b/i],
  [
    'power',
    /\bpower\b(?! (?:station|is off\b))|\boverhead|\belectric|\bpantograph|\bde-?wire|\bwires? (?:\w+ ){0,2}(?:down|damage\w*|problem|fault|fell|fallen|snapped|trouble)|\b(?:damaged|fallen|broken|snapped) (?:\w+ )?wires?\b|\b(?:black-?out|OLE|catenary|third rail)\b|\blights? (?:go|went|are|were) out\b/i,
  ],
  [
    'rail',
    /\b(?:broken|cracked|buckled|damaged) (?:rail|track)|\b(?:track|rail) (?:defect|fault|crack|break)|\bcrack(?:ed)? (?:in|on) (?:a|the) (?:rail|track)|\b(?:rail|track) (?:has |is |was )?(?:broke|crack|buckl)/i,
  ],
  [
    'lift',
    /\blifts? (?:is |are )?(?:faults?|out of|broken|closed|not working)|\b(?:faulty|broken) lifts?\b/i,
  ],
  ['escalator', /\bescalators?\b/i],
  ['gas', /\bgas\b/i],
  // A part of a building or wall, and a bridge that opens.
  [
    'collapse',
    /\b(?:masonry|stonework|brickwork|scaffold\w*|roof tiles?|facade|gable)\b|\b(?:wall|building|roof|chimney|ceiling|house|structure)s? (?:has |have |had |partly |partially |part )?(?:collaps\w*|gave way|given way|fell|fallen|falls|came down|come down)|\bcollapsed (?:\w+ )?(?:wall|building|roof|chimney|ceiling|house|structure)|\b(?:unsafe|dangerous|unstable|crumbling) (?:building|structure|wall|chimney)|\brubble\b/i,
  ],
  [
    'lifting',
    /\b(?:bascules?|hydraulic|swing(?:ing)? bridge|lift(?:ing)? bridge)\b|\bbridge\b[^.]{0,30}\b(?:stuck|jammed|(?:fail\w*|refus\w*|unable|cannot|can['’]t|won['’]t|would not|not) (?:to )?(?:be )?(?:come down|lower\w*|clos\w*|swing|shut|lock))/i,
  ],
  [
    'baggage',
    /\b(?:baggage|suitcases?|luggage|bag belts?|carousels?)\b(?! (?:was |is )?(?:left )?(?:unattended|abandoned))/i,
  ],
  [
    'police',
    /\bpolice (?:incident|activity|operation|investigation|cordon|scene)|\b(?:taped|cordoned) off\b|\bcordon\b/i,
  ],
  [
    'security',
    /\bsuspicious|\bsuspect (?:bag|package|item|device|vehicle)|\bunattended|\babandoned (?:bag|package|suitcase)|\bsecurity alert|\bbombs?\b|\bunexploded|\bexplosive|\bordnance\b|\bgrenade|\bpackage/i,
  ],
  [
    'evacuation',
    /\bevacuat|\b(?:cleared|emptied) (?:as a|in a|for) (?:precaution|safety|security)|\bmoved (?:everyone|everybody|people|passengers) out\b/i,
  ],
  ['violence', /\bstabb|\bknife|\bshoot|\bshot\b|\bassault|\bfight/i],
  ['demonstration', /\bdemonstrat|\bprotest|\bmarch(?:es|ers)?\b/i],
  ['event', /\b(?:match|concert|marathon|festival|fans|parade)\b/i],
  ['filming', /\bfilm(?:ing| crew)\b/i],
  ['visit', /\b(?:royal|state) visit\b/i],
  [
    'animal',
    /\b(?:animals?|livestock|cattle|cows?|bull(?:ocks?)?|horses?|pon(?:y|ies)|sheep|pigs?|deer|swans?)\b/i,
  ],
  ['load', /\babnormal load|\bwide load|\btransformer\b/i],
  [
    'ground',
    /\b(?:sink-?hole|potholes?|subsidence|(?:hole|crater|void) (?:has |have )?(?:opened|appear\w*|in the (?:road|carriageway))|(?:road|carriageway) (?:has |surface )?(?:collaps\w*|sunk|sinks|given way|gave way|caved))\b/i,
  ],
  ['welfare', /\bin distress|\bconcern for|\bwelfare/i],
  [
    'person',
    /\b(?:person|someone|man|woman|pedestrian) (?:has been |have been |was |being )?(?:hit|struck)\b(?=[^.]{0,80} train)|\b(?:person|someone) (?:has been |was )?hit\b|\b(?:struck|hit) by (?:(?:a|the) )?train\b|\bcasualty|\b(?:fatality|dies|died|killed) (?:on the (?:railway|track|line)|\w+ (?:railway|train))/i,
  ],
  ['ill', /\btaken ill\b|\b(?:sick|ill) (?:customer|passenger)s?\b|\b(?:customer|passenger) incident\b/i],
  [
    'crew',
    /\b(?:train ?|cabin )?crew\b(?<!fire crew)|\b(?:shortage|lack|short|absence) of (?:\w+ )?(?:staff|drivers|controllers|guards|conductors)|\b(?:staff|driver|controller|guard)s? (?:\w+ )?(?:shortage|sickness|absence|illness)|\bstaff(?:ing)? (?:issue|problem|level)|\bnot enough (?:\w+ )?(?:staff|drivers|controllers)|\btrain cancellations/i,
  ],
  [
    'strike',
    /(?<!\b(?:bridge|lorry|hgv|van|truck|bus|car|vehicle|bird|lightning) )\b(?:strikes?|industrial action|walk-?outs?)\b/i,
  ],
  [
    'trespass',
    /\btrespass|\b(?:person|people|someone|youths|youngsters|children|intruders?) (?:is |are |were |was |seen |reported )*on the (?:track|line|railway)/i,
  ],
  ['fog', /\b(?:fog|low visibility)\b/i],
  ['drone', /\bdrones?\b/i],
  [
    'system',
    /\b(?:systems?|computers?) (?:is |are )?(?:failures?|faults?|outages?|problems?|issues?|glitch(?:es)?|crash|down)\b|\bIT (?:failures?|faults?|outages?|problems?|issues?|glitch)/i,
  ],
  ['berth', /\b(?:link ?span|ferry ramp|berth)\b/i],
  ['works', /\b(?:road ?works|works?|engineering|resurf\w+|maintenance|repairs?|carriageway renewal)\b/i],
];

const BUILDING = String.raw`(?:house|flats?|warehouse|factory|shop|mill|pub|hotel|building|industrial|school|recycling|garage|church|restaurant|premises|bungalow|unit|store|supermarket|farm|barn)`;
/** Words for a fire beside the road, which is not a vehicle's. */
const OF_BUILDING = new RegExp(
  String.raw`\b${BUILDING}\b[\w ]{0,20}\b(?:fire|blaze)|\b(?:fire|blaze)s? (?:at|in) (?:an? |the )?(?:\w+ ){0,3}${BUILDING}\b`,
  'i',
);

const VEHICLE =
  '(?:vehicle|car|van|lorry|hgv|truck|bus|coach|minibus|caravan|trailer|tanker|tractor|motorhome|transporter|wagon)s?';
/** Words for a vehicle on fire, which is no building. */
const OF_VEHICLE = new RegExp(
  String.raw`\b${VEHICLE}\b (?:has |have |had |is |was )?(?:\w+ )?(?:fire|blaze|ablaze|alight|burn\w*|(?:caught|catches|catching) (?:fire|light)|in flames|on fire)\b|\b(?:fire|blaze|burning|flames)\b (?:\w+ )?(?:in |on |involving )?(?:an? |the )?(?:\w+ )?${VEHICLE}\b`,
  'i',
);

const BY_TRAIN = /\btrains?\b/i;

/** The causes in the first of these texts that gives any. */
export function causesIn(eventType: string, texts: readonly string[]): ReadonlySet<string> {
  if (eventType.endsWith('works'))
    return new Set(['works', ...(/\bwater main/i.test(texts.join(' ')) ? ['water'] : [])]);
  for (const text of texts) {
    const causes = CAUSES.flatMap(([cause, words]) => (words.test(text) ? cause : []));
    // A train that hits somebody is no crash on a road.
    if (causes.includes('person') && BY_TRAIN.test(text)) causes.splice(causes.indexOf('collision') >>> 0, 1);
    if (causes.includes('fire')) {
      if (OF_BUILDING.test(text)) causes[causes.indexOf('fire')] = 'building';
      if (OF_VEHICLE.test(text)) causes.push('vehicle');
    }
    if (causes.length > 0) return new Set(causes);
  }
  return new Set();
}

/** Classes that one event can have together: words for one do not contradict words for another. */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['flood', 'landslip']),
  new Set(['wind', 'tree', 'power', 'flood']),
  new Set(['wind', 'collapse']),
  // Signals and points at one station are two faults.
  ...['signals', 'points'].map((cause) => new Set(['fire', 'power', cause])),
  new Set(['collision', 'fire', 'vehicle']),
  new Set(['fire', 'building']),
  new Set(['fire', 'vehicle', 'evacuation']),
  new Set(['building', 'gas', 'evacuation']),
  new Set(['building', 'collapse']),
  new Set(['spill', 'landslip']),
  new Set(['spill', 'collapse']),
  new Set(['height', 'bridge']),
  new Set(['signals', 'crossing']),
  new Set(['demonstration', 'event']),
  new Set(['person', 'trespass', 'welfare']),
  new Set(['person', 'ill']),
  new Set(['security', 'evacuation']),
  ...['violence', 'security', 'evacuation', 'person', 'trespass', 'welfare'].map(
    (cause) => new Set(['police', cause]),
  ),
  ...['system', 'breakdown'].map((cause) => new Set(['baggage', cause])),
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
