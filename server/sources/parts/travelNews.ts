/** Finds the news stories and posts that report a disruption of transport in the United Kingdom. Their writers give
 *  no grade, so the words decide: a story counts when one sentence names transport and what happened to it. Most
 *  stories are left out, because it is better to miss one than to have a board that people do not trust. */
import { HOUR_MS } from '#contract/durations.ts';
import type { Phase } from '#contract/incidents/disruptions.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { Collected, DisruptionRecord } from '../../incidents/collector.ts';
import type { FeedItem, FeedRead } from '../../http/documents/newsItems.ts';
import { stateOf } from '../../incidents/facts/overInWords.ts';
import { locate } from '../../geography/names/locate.ts';
import { placeNames } from '../../geography/names/placeNames.ts';
import { summaryLine, summarised } from '../../http/documents/plainText.ts';

type Mode = 'rail' | 'air' | 'ferry' | 'bus' | 'road';

/** The order matters: "bus blocks railway bridge" is about the railway. */
const TRANSPORT: readonly (readonly [Mode, RegExp])[] = [
  [
    'rail',
    /\b(?:rail(?:way)?s?(?! (?:viaduct|arch))|trains?|tube|london underground|underground (?:line|station|train|service)s?|overground|elizabeth line|eurostar|dlr|(?<=luton )dart|trams?|metrolink|metro (?:line|station|train|service)s?|metro(?= (?:is |was |has been |remains? )?(?:suspended|closed|shut|halted|stopped|delayed|disrupted|delays|disruption)\b(?! (?:an?|his|its|the|their)\b))|level crossing|signal(?:l?ing)? (?:failure|fault|problem)s?|points failure|overhead (?:lines?|wires?|cables?)|clapham junction|(?:shuts?|closes?|blocks?) (?:the )?(?:[\w&]+[ -]){1,4}line\b|(?<!(?:picket|front|power|water|gas|finish) )line (?:is )?(?:closed|shut|blocked|suspended))\b/i,
  ],
  [
    'air',
    /\b(?:airports?|flights?|air traffic|airspace|runway|terminal \d|baggage (?:system|belts?|hall)|heathrow|gatwick|stansted)\b/i,
  ],
  ['ferry', /\b(?:ferry|ferries|sailings|port of [a-z]+|calmac)\b/i],
  ['bus', /\b(?:bus(?:es)?|coach (?:station|service|passenger)s?)\b/i],
  [
    'road',
    /\b(?:M\d{1,3}|[AB]\d{1,4}(?:\(M\))?|(?:north|south|east|west)bound(?! (?:birds?|migration|migrants?|spacecraft|storm|whales?)\b)|roads?|motorways?|carriageways?|bridge|tunnel|motorists|traffic|junctions?)(?!\w)/i,
  ],
];

/** A sentence with these words is about travel only if it names a UK place: "Crash at St Leonards closes the
 *  seafront". */
const DOUBTFUL: readonly (readonly [Mode, RegExp])[] = [
  [
    'rail',
    /(?<!\b(?:police|fire|power|petrol|polling|radio|television|TV|ambulance|lifeboat|service|weather|gas|filling|space|pumping) )\bstation\b/i,
  ],
  ['air', /\bpassengers\b/i],
  [
    'road',
    /(?<!\b(?:stock|market|price|plane|helicopter|jet|computer|website|crypto|economic|glider|aircraft) )\b(?:crash(?:es|ed)?(?! out\b)|collision|collided|rt[ca]|pile-?up|overturn(?:s|ed)|jack-?knif\w+|tailbacks?|gridlock(?:ed)?|landslips?|rockfall|sinkhole|burst (?:water )?main|lorry|lorries|street|lane|seafront|promenade|(?:town|city|village) centre|gateway|crossing|bypass|flyover|roundabout|interchange)\b/i,
  ],
];

const HAPPENS_TO: typeof TRANSPORT = [
  ...TRANSPORT,
  [
    'road',
    /\b(?:rt[ca]|pile-?up|jack-?knif\w+|landslips?|rockfall|sinkhole|burst (?:water )?main|cut off by|stranded (?:by|as|in|after) (?:the )?(?:floods?|flooding|snow|storm)|floods? (?:hits?|cuts?)|snowbound|to (?:a )?standstill|lorry|lorries|hgvs?|tractors?|hit by (?:an? )?(?:car|van|bus|lorry|train|tram)|motorcyclist|cyclist)\b/i,
  ],
];

/** Worst first. News alone is never critical: only the operator of the road or railway can say that. */
const DISRUPTION: readonly (readonly [Severity, RegExp])[] = [
  // Everything is at a standstill.
  [
    'high',
    /\b(?:all (?:flights|trains|lines|services|routes|sailings)|no (?:trains|trams|flights|services|buses|ferries|sailings)|(?:airport|station)(?: is| was| has been| remains)? (?:closed|shut|evacuated)|major incident|do(?: not|n['’]t) travel|grounded)\b/i,
  ],
  // Something is closed or does not run.
  [
    'medium',
    /\b(?:clos(?:ed|es|ures?|ing)|close(?! to\b)|(?:roads?|streets?) sealed off|(?:ar|yng?) gau|ynghau|shuts?|shutdown|cancel(?:s|led|lations?)?|block(?:s|ed|ing|ades?)?(?! of\b)|suspen(?:ded|sions?)|evacuat(?:ed|ions?)|derail(?:s|ed|ments?)?|stranded|halted|impassable|stuck|not (?:yet )?re-?opened|re-?opened (?:just |only )?(?:one|a single) lane)\b/i,
  ],
  // It runs, or will run, but badly; or the words do not say how badly.
  [
    'low',
    /\b(?:delay(?:s|ed)?|oedi|gwrthdrawiad|damwain|llifogydd|disrupt(?:s|ed|ions?)?|strikes?|walkouts?|industrial action|crash(?:es|ed)?|collisions?|pile-?up|overturn(?:s|ed)|divert(?:s|ed)|diversions?|queues|tailbacks?|congestion|gridlock(?:ed)?|standstill|chaos|flood(?:s|ed|ing)?|landslips?|(?:signal|points|power|signalling) (?:failure|fault)|power cut|operation (?:brock|stack)|broken[- ]down|(?:car|lorry|coach|bus|van|vehicle|hgv|tanker|train) (?:fire|blaze)|aground|reduced service|cordon(?:ed)?|(?:lorries|hgvs|vehicles|caravans|motorcycles) (?:are |were )?(?:still )?banned)\b/i,
  ],
];

/** Words of an event. They count only if a UK place or a road shows that it was on a road or railway: "bus hits tree
 *  in Histon". */
const HAPPENED: typeof DISRUPTION = [
  [
    'low',
    /\b(?:hit(?:s|ting)?(?! with\b| out\b| back\b)|struck|strikes|collides?|collided|collapse[sd]?|washed away|cut off|on fire|catch(?:es)? fire|fire|blaze|smoke|burst|leak|spill\w*|sinkhole|subsidence|trees? down|fallen|unsafe|unexploded|bomb|bad accident|rt[ca]|pile-?up|jack-?knif\w+|landslips?|landslides?|rockfall|stationary|slow|avoid|police incident|no way through|wedged|under water|snow(?:bound)?|ice|icy|fog|gales?|high winds)\b/i,
  ],
];

/** Words in a headline that say that the disruption is over. */
const OVER =
  /\b(?:re-?open(?:s|ed|ing)?|resum(?:e|es|ed|ing)|cleared|called off|averted|back to normal|(?:running|operating) (?:normally|as normal)|good service|restored|lifted|resolved|strikes? suspended|(?:wedi )?ail-?agor)\b/i;
/** Words that say that some disruption remains. */
const RESIDUAL =
  /\b(?:delays?|disruptions?|queues|congestion|(?:still|remains?) (?:\w+ ){0,2}?(?:affected|banned|blocked|busy|cancelled|closed|diverted|flooded|heavy|impassable|in (?:place|force|operation)|one lane|queu\w+|reduced|restrict\w+|shut|slow|suspended|traffic)|(?:restrictions?|closures?|diversions?|roadworks|(?:speed )?limits?|tailbacks?|cancellations?|waits?|problems?) (?:\w+ )?(?:remains?|continues?|persists?))\b/i;

/** Words in a headline that announce a disruption before it begins. */
const PLANNED =
  /\b(?:(?:will|(?:set|due|expected|scheduled) to|to) (?:be (?:closed|shut|suspended|diverted|deployed)|close|shut|strike|walk out|begin|start)|next (?:week|weekend|month|year)|planned|ahead of)\b/i;

/** Words in a headline of a later report, or of a passing mention. */
const NOT_NOW: readonly RegExp[] = [
  // courts and mourning
  /\b(?:jailed|sentenced|(?:crown|high|county|in) court|court (?:hears?|heard|told|case)|magistrates|trial|charged|fined(?!.* (?:as|still|now)\b)|guilty|convicted|inquest|murder(?:ed)?|manslaughter|tributes?|funeral|memorial|anniversary|years? (?:ago|on)|named (?:as|by)|appeals? (?:for|after|over))\b|\bnamed$/i,
  // politics and money
  /\b(?:ministers?|secretary|MPs?|councillors?|consultation|review|inquiry|plans?|funding|fares?|HS2|compensation|refunds?)\b/i,
  // people, not services
  /\b(?:drivers?|conductors?|guards?|workers?|boss|chief|officers?|players?|managers?|teachers?|pilots?)(?: is| was| are| were| has been)? (?:suspended|grounded|cleared)\b/i,
  // figures of speech
  /\b(?:derail(?:s|ed)? (?:talks|deal|career)|(?:talks|deal|career) derailed|train of thought|trains? (?:as|to become)|gravy train|(?:back|stays?|keeps?) on track|road to (?:recovery|nowhere|success)|bridges? the gap|flight of)\b/i,
];

const IRISH_COUNTY = String.raw`\b[Cc]o(?:unty|\.)? (Carlow|Cavan|Clare|Cork|Donegal|Dublin|Galway|Kerry|Kildare|Kilkenny|Laois|Leitrim|Limerick|Longford|Louth|Mayo|Meath|Monaghan|Offaly|Roscommon|Sligo|Tipperary|Waterford|Westmeath|Wexford|Wicklow)\b`;
const IRISH_COUNTIES = new RegExp(IRISH_COUNTY, 'g');
/** Words for places abroad. They count unless a UK place or service is named too. */
const ABROAD =
  /\b(?:abroad|afghan\w*|alabama|arizona|baltimore|boston,? mass\w*|carolina|colorado|florida|illinois|louisiana|maryland|massachusetts|michigan|minnesota|missouri|nevada|new jersey|ohio|oregon|pennsylvania|philadelphia|tennessee|texas|utah|virginia|wisconsin|queensland|tasmania|ontario|quebec|nova scotia|connecticut|kentucky|new jersey|highway \d+|interstate|africa\w*|america\w*|argentin\w*|asia\w*|australia\w*|austria\w*|bangladesh\w*|beijing|belgi\w*|brazil\w*|bulgaria\w*|california\w*|canad\w*|chicago|chile\w*|chin(?:a|ese)|colombia\w*|congo\w*|croatia\w*|cuba\w*|czech|denmark|danish|dutch|egypt\w*|ethiopia\w*|finland|france|french|gaza\w*|german\w*|greece|greek|hungar\w*|india\w*|indonesia\w*|iran\w*|iraq\w*|israel\w*|italy|italian\w*|japan\w*|kenya\w*|korea\w*|kyiv|lebanon|madrid|mexic\w*|moscow|morocc\w*|nepal\w*|netherlands|new york|new zealand|nigeria\w*|norw(?:ay|egian)|pakistan\w*|paris|peru\w*|philippin\w*|poland|polish|portug\w*|russia\w*|serbia\w*|spain|spanish|sri lanka\w*|sudan\w*|swed(?:en|ish)|swiss|switzerland|syria\w*|taiwan\w*|thai\w*|tokyo|turk(?:ey|ish)|ukrain\w*|US|USA|vietnam\w*|washington|republic of ireland)\b/i;
const TOWN_ABROAD = new RegExp(
  String.raw`\b(\p{Lu}\p{Ll}{2,20})(?:(?:,| in) (?=${IRISH_COUNTY})|, (?=(?:Ontario|Ohio|Texas|Alabama|Connecticut|Massachusetts|Maryland|Michigan|Nova Scotia|Kentucky|Pennsylvania|Illinois|Virginia|Georgia|Quebec|Victoria|Queensland|Tasmania|New (?:York|Jersey|South Wales|Hampshire|Zealand|Brunswick)|Canada|Australia|South Africa)\b))`,
  'gu',
);
const OURS =
  /\b(?:UK|united kingdom|brit(?:ain|ish|ons?)|england|english|scotland|scottish|wales|welsh|northern ireland|london|heathrow|gatwick|stansted|luton|A\d{1,4}|sunderland|tyne|wear|northumbria|yorkshire|lancashire|cumbria|essex|sussex|surrey|hampshire|devon|cornwall|dorset|somerset|norfolk|suffolk|lincolnshire|merseyside|manchester|birmingham|liverpool|leeds|glasgow|edinburgh|bristol|cardiff|belfast|newry|armagh|tyrone|fermanagh|antrim|derry|londonderry|psni|holyhead|newcastle|kent|dover|folkestone|eurostar|M\d{1,3}|network rail)\b/i;
/** Places in which a road with a number like ours is another country's. Adjectives and names of streets are none:
 *  "the A14 after a Dutch lorry overturned", "the A13 at East India Dock Road". */
const LAND = String.raw`(?:${IRISH_COUNTY}|(?:the )?(?:Republic of Ireland|Australia|Austria|Belgium|Bulgaria|Canada|China|Croatia|Czech Republic|Denmark|Egypt|Finland|France|Germany|Greece|Hungary|India|Iran|Israel|Italy|Japan|Kenya|Madrid|Morocco|Moscow|Netherlands|New Zealand|Norway|Pakistan|Paris|Poland|Portugal|Queensland|Russia|Serbia|Spain|Sweden|Switzerland|Syria|Turkey|Ukraine)\b)(?!['’-]|,? (?:\p{Lu}\p{Ll}+ ){0,2}(?:Street|Road|Lane|Avenue|Hill|Way|Row|Green|Bridge|Quay|Docks?|Farm|Close|Drive|Place|Square|Park|Gate|Wharf)\b| border\b)`;
/** A road that is said to be abroad by the first place beside it: "the A16 in northern France", "the M1 near Drogheda,
 *  Co Louth", and not "the A29 in Crossmaglen, near Co Louth". */
const ROAD_ABROAD = new RegExp(
  String.raw`\b[AM]\d{1,4}(?= (?:(?!(?:after|because|due|over|as|from|following|in(?! both\b)|near|at|outside)\b)[\w,-]+ ){0,5}?(?:in|near|at|outside) (?:(?:the )?(?:town|city|port) of )?(?:(?:\p{Lu}[\p{L}'’-]+ ){0,2}\p{Lu}[\p{L}'’-]+(?:,| in) )?(?:(?:north|south|east|west|central)[a-z-]* )?${LAND})`,
  'gu',
);
/** No genuine headline and lead-in name more places. */
const NAMES_MAX = 20;
/** Whether a story is about another country. "US" is a country, "us" is not. */
const isAbroad = (words: string) => {
  const named = words.replace(/\bus\b/g, '');
  const isBeyond = ABROAD.test(named);
  if (!isBeyond && named.search(IRISH_COUNTIES) < 0) return false;
  // "London, Ontario" is not our London, wherever else the text names it.
  const namesakes = [
    ...Array.from(words.matchAll(TOWN_ABROAD), ([, town]) => town!),
    ...Array.from(words.matchAll(IRISH_COUNTIES), ([, county]) => county!),
  ];
  const others = namesakes.reduce(
    (left, town) => left.replaceAll(town, ''),
    words.replace(/New England/gi, '').replace(ROAD_ABROAD, ''),
  );
  if (OURS.test(others)) return false;
  // "Bus crash in Omagh: passengers from Co Donegal hurt"
  if (isBeyond) return true;
  const names = Array.from(others.matchAll(/\p{Lu}[\p{L}'’-]{3,}/gu), ([name]) => `in ${name}`);
  return !locate([others, ...names.slice(0, NAMES_MAX)], placeNames(null));
};

/** The most characters that are read: the headline and the lead-in are enough. */
const TEXT_MAX = 2000;

interface Rating {
  severity: Severity;
  mode: Mode;
  phase: Phase;
  /** The words of the writer that decided. */
  transport: string;
  disruption: string;
  /** The story counts only if it names a UK place or road. */
  needsPlace?: true;
}

/**
 * Null when the story reports no disruption of transport here and now, or one that is over. `title` is '' for a post.
 */
export function rateStory(item: Pick<FeedItem, 'title' | 'text'>): Rating | null {
  const [title, body] = [item.title.slice(0, TEXT_MAX), item.text.slice(0, TEXT_MAX)];
  const headline = title || body;
  if (NOT_NOW.some((pattern) => pattern.test(headline)) || isAbroad(`${title} ${body}`)) return null;

  const isEnded = isOver(headline);
  if (isEnded && !RESIDUAL.test(headline)) return null;

  const sentences = [title, ...body.split(/(?<=[.!?])\s+/)];
  const sure = worstOf(sentences, TRANSPORT);
  const doubtful = sure
    ? null
    : (worstOf(sentences, DOUBTFUL) ?? worstOf(sentences, HAPPENS_TO, [...DISRUPTION, ...HAPPENED]));
  const rating = doubtful
    ? { ...doubtful, mode: modeOf(doubtful, sentences), needsPlace: true as const }
    : sure;
  return (
    rating && {
      ...rating,
      severity: isEnded ? 'low' : rating.severity,
      phase: PLANNED.test(headline) ? 'planned' : 'active',
    }
  );
}

/** The kind of transport. A sentence about passengers only means the transport that another sentence names: "Arran
 *  ferry hit by fault". */
function modeOf({ mode, transport }: Pick<Rating, 'mode' | 'transport'>, sentences: readonly string[]): Mode {
  if (!/^passengers$/i.test(transport)) return mode;
  const named = TRANSPORT.find(([, words]) => sentences.some((sentence) => words.test(sentence)));
  return named?.[0] ?? mode;
}

/** "A14 westbound reopened, eastbound remains closed" is not. */
const isOver = (headline: string) => OVER.test(headline) && stateOf(headline) !== 'on';

const isWhollyOver = (headline: string) => isOver(headline) && !RESIDUAL.test(headline);

function worstOf(
  sentences: readonly string[],
  transports: typeof TRANSPORT,
  disruptions = DISRUPTION,
): Omit<Rating, 'phase'> | null {
  for (const [severity, disrupted] of disruptions) {
    for (const sentence of sentences) {
      const [disruption] = disrupted.exec(sentence) ?? [];
      if (!disruption) continue;
      for (const [mode, named] of transports) {
        const [transport] = named.exec(sentence) ?? [];
        if (transport) return { severity, mode, transport, disruption };
      }
    }
  }
  return null;
}

/** A post has no title, so this many characters of its beginning replace one. */
const POST_TITLE_MAX = 80;

/** The disruptions among the stories of all feeds that are not too old, each once, in its newest version. `ended`:
 *  the event ids of stories whose headline says that the disruption is over. */
export function travelRecords(
  feeds: readonly FeedRead[],
  {
    now,
    idOf,
    type,
    endsAfterHours,
    worst = 'critical',
  }: {
    now: Date;
    /** An item's event id. */
    idOf: (id: string) => string;
    /** The first part of the event type. */
    type: string;
    endsAfterHours: number;
    /** The highest severity that these records can get. */
    worst?: Severity;
  },
): Pick<Collected, 'records' | 'ended'> {
  const newest = new Map<string, { item: FeedItem; feed: string }>();
  for (const { title: feed, items } of feeds) {
    for (const item of items) {
      const kept = newest.get(idOf(item.id));
      if (!kept || changed(item) > changed(kept.item)) newest.set(idOf(item.id), { item, feed });
    }
  }

  const ended: string[] = [];
  const records = [...newest].flatMap(([event_id, { item, feed }]): DisruptionRecord[] => {
    const end = new Date(Date.parse(changed(item)) + endsAfterHours * HOUR_MS);
    const rating = rateStory(item);
    if (!rating && isWhollyOver((item.title || item.text).slice(0, TEXT_MAX))) ended.push(event_id);
    if (!rating || end <= now) return [];

    const { severity, mode, phase, transport, disruption, needsPlace } = rating;
    return [
      {
        event_id,
        severity: worst === 'medium' && severity === 'high' ? worst : severity,
        event_type: `${type}.${mode}`,
        title: item.title ? summaryLine(item.title) : summaryLine(item.text, POST_TITLE_MAX),
        ...summarised(item.text || item.title),
        updated_at: changed(item),
        // A headline that announces something seldom says when, and the day of the story is not that day.
        start_time: phase === 'planned' ? null : item.published,
        end_time: end.toISOString(),
        phase,
        kind: 'alert',
        latitude: null,
        longitude: null,
        metadata: {
          upstream_severity: disruption,
          transport,
          publisher: feed || null,
          ...(needsPlace && { needs_place: true }),
          ...(item.link && { links: [{ url: item.link, label: feed || null }] }),
        },
      },
    ];
  });
  return { records, ...(ended.length > 0 && { ended }) };
}

const changed = (item: FeedItem) => item.updated ?? item.published;
