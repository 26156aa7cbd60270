/** The words of a day sheet's headings, and the possible meanings of each. */
import { keeping } from './sheetCells.ts';

/** The meanings of a column, as the select names them. */
export const MEANINGS = {
  time: 'Time',
  back: 'Time back',
  backDate: 'Date back',
  backVehicle: 'Vehicle back',
  backDriver: 'Driver back',
  arrives: 'Arrives',
  date: 'Date',
  ref: 'Reference',
  from: 'From',
  via: 'Via',
  to: 'To',
  trip: 'From and to',
  vehicle: 'Vehicle',
  driver: 'Driver',
  people: 'People',
  deadline: 'Deadline',
  status: 'Status',
  note: 'Note',
  none: 'Not used',
} as const;
export type Meaning = keyof typeof MEANINGS;

export const isMeaning = (word: string): word is Meaning => Object.hasOwn(MEANINGS, word);

/** Headings of remarks. In the note their cells need no word before them. */
const REMARKS =
  /^(?:notes?|remarks?|comments?|info(?:rmation)?|special (?:instructions|requirements)|instructions|extra(?:s)?|misc|other|further details)$/;

/** A vehicle that leaves its depot, or comes back to it, is not a job that leaves. */
const DEPOT =
  /\b(?:depot|garage|yard|base)\b|^(?:sign on|sign(?:ed)? on time|s\/on|report(?:ing)?|(?:book|clock) on|duty start|shift start)(?: time)?$/;
const DEPOT_IN =
  /^(?=.*\b(?:depot|garage|yard|base)\b).*\b(?:back|arr|arrive|in|into|on|return|finish|end)\b|^(?:off (?:hire|road)|sign(?:ed)? off|s\/off|(?:book|clock) off|clear|duty end|shift end)(?: time)?$/;
const STAND = /^(?:(?:on|at) (?:road|stand|site|hire)|stand|live)(?: time)?$/;

const PLACE_WORDS = /\b(?:pc|stop|point|place|location|loc|address|town|venue|site|from|to|post ?code)\b/;

const HEADINGS: readonly [Meaning, RegExp][] = [
  [
    'back',
    /^(?:return|ret|back|inbound|collect(?:ion)?)(?: (?:time|dep(?:art)?))?$|^(?:time )?(?:back|home)(?: time)?$|^return pick ?up(?: time)?$|^pm(?: time| (?:from|ex) \w+)?$/,
  ],
  [
    'arrives',
    /^(?:arr(?:ive[sd]?|ival)?|eta|drop ?off|set ?down|(?:finish|end)(?:s|ed)?(?: at)?|due in)(?: time)?$|^time (?:off|finish)$|^at dest(?:ination)?(?: by)?$/,
  ],
  [
    'deadline',
    /^(?:deadline|bell|appt|appointment(?: time)?|(?:to be )?there (?:by|for)|check ?in(?: closes| by)?(?: time)?|due(?: by| at)?|must (?:be there|arrive)(?: by)?|required by|needed by|latest(?: arrival)?|sailing(?: time)?|(?:flight|flt) ?(?:time|dep(?:art(?:ure)?)?|arr(?:ival)?))$/,
  ],
  [
    'time',
    /^(?:times?|tm|when|out(?:ward|bound)|dep(?:art(?:ures?|s)?)?(?: at)?|dept|leaves?|lve?|etd|std|away(?: at)?|leave at|at|@|start(?:s|ed)?(?: at)?|(?:first |1st )?pick ?ups?(?: at)?|p\/?u|pickup time|collect(?:ion)?|out|off|sched(?:uled)?|(?:pick ?up |job |travel |start |dep(?:art(?:ure)?)? )?date ?(?:\/|&|and|\+)? ?time|time ?(?:\/|&|and|\+) ?date)(?: time)?(?: \(?(?:local|24 ?h(?:r|our)?)\)?)?$|^time (?:out|on|of departure|start)$|^am(?: time)?$/,
  ],
  ['time', STAND],
  ['none', DEPOT_IN],
  ['time', DEPOT],
  ['backDate', /^(?:return|ret|back|inbound|home) (?:date|day)$|^date (?:back|home|of return)$/],
  [
    'date',
    /^(?:date|days?|days? (?:of operation|run)|runs(?: on)?|(?:out(?:ward|bound)?|departure) date|travel date|job date|service date|date of (?:travel|hire))$/,
  ],
  [
    'ref',
    /^(?:(?:job|booking|bkg|order|contract|work|quote|our|hire|trip|run|duty|docket|po|wk)? ?(?:ref(?:erence)?|no|number|num|id|code|ti?c?kt|ticket)|job|loop|circuit|working|diag(?:ram)?|booking|bkg|quote|order|duty|#|file|docket|invoice|run|(?:route|rte|service)(?: no| number)?)$/,
  ],
  [
    'via',
    /^(?:via|then|stops?(?: at)?|pick ?ups|pick ?ups? en route|also (?:joining|picking up)(?: at)?|call(?:s|ing)(?: at)?|picks up(?: at)?|(?:second|third|fourth|[2-9](?:nd|rd|th)) (?:pick ?up|p\/?u|stop|drop ?off|drop)|pick ?up (?:point )?[2-9]|p\/?u ?[2-9]|stop [1-9])$/,
  ],
  [
    'from',
    /^(?:(?:where |return |back )?(?:from|frm|ex)|uplift|lift (?:at|from)|orig(?:in)?|starts?|leaves|pick ?ups|picking up(?: (?:from|at))?|(?:first |1st )?pick ?up(?: 1)?|p\/?u|collect(?:ion)?|(?:pick ?up|collection|start|depart(?:ure)?|joining|meet(?:ing)?)(?: (?:point|place|location|address|from|at))|collect from|p\/?u (?:point|location|address|from)|leaving from)$/,
  ],
  [
    'to',
    /^(?:(?:where |return |back )?to|dest(?:n|ination)?(?: address)?|finish|terminus|dropping(?: off)?(?: at)?|(?:last |final )?drop ?off(?: (?:point|place|location|address))?|set ?down(?: (?:point|place))?|drop|d\/?o|going to|venue|(?:end|finish) (?:point|place|location|at)|deliver(?:y)? to|d\/?o (?:point|location|address)|arrives? at)$/,
  ],
  [
    'trip',
    /^(?:trip|journey|route|routing|service|from ?(?:\/|–|and|to|&)? ?to|o ?\/ ?d|description|details|job|job description|movement|work|itinerary|transfer|hire|hire details|job details|what)$/,
  ],
  [
    'vehicle',
    /^(?:(?:allocated )?(?:veh(?:icle)?|coach|bus)|reg(?:istration)?|vrm|fleet|(?:veh(?:icle)?|coach|bus) reg(?:istration)?|fleet no|reg no|unit|bws|car|van|minibus|wagon|motor|psv|plate|coach (?:no|reg|number)|veh(?:icle)? (?:no|id|number|reg)|bus (?:no|number)|fleet number)$/,
  ],
  [
    'driver',
    /^(?:who(?: drives|(?:'s|’s| is) driving)?|(?:allocated )?drivers?|driver(?:'s|’s)? (?:name|no|number|id)|crew|driver 1|staff|name of driver|drv|drvr|dvr|gyrrwr|driver allocated|chauffeur|operative|(?:allocated|assigned)(?: to)?)$/,
  ],
  [
    'people',
    /^(?:pax|px|teithwyr|people|pass(?:engers?)?|how many|no|adults? (?:\+|&|and) child(?:ren)?|no(?: of)? ?(?:pax|pass|people|passengers|persons?)|persons?|guests|seats(?: (?:req(?:uired)?|booked))?|heads|qty|booked|on board|group size|load|nos|size|party|party size|numbers?(?: of (?:pax|pass|people|passengers))?)$/,
  ],
  [
    'status',
    /^(?:(?:job |booking )?(?:status|state)(?: ?[/&] ?(?:notes?|remarks?|comments?))?|stat|confirmed)$/,
  ],
  ['note', REMARKS],
  [
    'note',
    /^(?:k ?o|kick ?off|(?:customer|client)(?: name)?|(?:who )?for|hirer|company|party|group|account|a\/c|acc(?:oun)?t|organi[sz]er|contact|(?:lead |party )?(?:name|passenger)|passenger name|(?:booked|ordered|arranged) by|agent|operator|school|flight|flt|flight (?:no|number)|flt no|driver 2|second driver|courier)$/,
  ],
  [
    'none',
    /^(?:(?:end|finish|return) date ?\/? ?time|(?:contact )?(?:mob(?:ile)?|tel(?:ephone)?|phone)(?: no)?|e ?mail|price|fare|cost|rate|value|total|£|vat|miles|mileage|km|hours|hrs|paid|deposit)$/,
  ],
];

/** Parts of headings that have a meaning wherever they stand, as in "Assigned driver" or "Time to leave school". The
 *  first match counts. The second pattern holds words with which the part means something else. */
const PARTS: readonly [Meaning, RegExp, RegExp?][] = [
  // "W/C" is over the day on which a week begins, or over wheelchairs.
  ['date', /^w ?\/? ?c$/],
  [
    'note',
    /^(?:every|frequency|headway|until|w ?\/? ?c|wheelchairs?)\b|\b(?:no|number|qty|how many)\b.*\b(?:coaches|vehicles|buses)\b/,
  ],
  ['none', /\b(?:lat|latitude|lon|lng|long|longitude|eastings?|northings?)\b/],
  ['none', /\b(?:empty|dead|light|duration|distance|minutes|mins|(?:running|journey|driv(?:e|ing)) time)\b/],
  [
    'none',
    /\b(?:price|fare|cost|vat|rate|charge|tel|telephone|phone|mob|mobile|e ?mail|miles|mileage|hours)\b/,
  ],
  ['note', /\b(?:type|size|class|capacity|spec|category|post ?codes?)\b/],
  ['driver', /\b(?:drivers?|drv|chauffeur|crew)\b/, /\b(?:2|two|second|relief|notes?|info)\b/],
  ['vehicle', /\b(?:vehicle|veh|coach|bus|reg|registration|fleet)\b/, /\b(?:stop|stops|station|stn)\b/],
  ['backDate', /\b(?:return|rtn|ret|back|home|inbound)\b.*\b(?:date|day)\b/],
  ['date', /\bdate\b/, /\b(?:book(?:ed|ing)?|issued?|invoiced?|paid|birth|time)\b/],
  ['deadline', /\bcheck ?in\b|\b(?:must|due|required|needed|latest)\b.*\b(?:at|by|time|arriv)/],
  [
    'back',
    /^(?:school (?:out|finish(?:es)?|ends?)|out of school)\b|\b(?:leaves?|leaving|lve?|dep|departs?)\b.*\b(?:dest|destination|venue|ground|stadium|pool|baths|there|event|show|attraction)\b/,
  ],
  ['back', /\b(?:return|rtn|ret|back|home|homeward|inbound|pm)\b/, PLACE_WORDS],
  [
    'arrives',
    /\b(?:arr|arrives?|arrival|eta|finish|(?<!home )end|drop ?off|set ?down|dest|destination)\b/,
    PLACE_WORDS,
  ],
  [
    'time',
    /\btime\b|\b(?:pick ?up|dep|departs?|departure|leaves?|leaving|start|collect(?:ion)?|outbound|am)\b/,
    PLACE_WORDS,
  ],
  ['via', /\b(?:via|(?:2|3|4|second|third|2nd|3rd|4th|other|extra|additional) (?:pick ?ups?|stops?))\b/],
  [
    'from',
    /\b(?:first stop|pick ?up|collect(?:ion)?|origin|start|from|departure|joining|meeting|boarding)\b/,
    /\btime\b/,
  ],
  [
    'to',
    /\b(?:drop(?: ?off)?|set ?down|dest|destination|(?<!home )end|finish|final|to|arrival|deliver)\b/,
    /\btime\b/,
  ],
  [
    'people',
    /\b(?:pax|passengers?|people|persons?|seats|heads|pupils|students|adults|children|no on|number on)\b/,
    /\bname\b/,
  ],
  ['ref', /\b(?:ref|reference|id|number|no|code)\b/, /\bflight\b/],
  [
    'note',
    /\b(?:names?|customer|client|company|contact|hirer|group|party|school|flight|drivers?|crew|pa|assistant|attendant|escort|chaperone|guide|notes?|remarks?|comments?|info|instructions|requirements|luggage)\b/,
  ],
  ['trip', /\b(?:trip|journey|job)\b/],
];

const wordsOf = (cell: string): string =>
  cell
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ')
    .toLowerCase()
    .replaceAll('(s)', 's')
    .replaceAll(/\bp ?\/ ?u(?:p)?\b|\bp[ -]up\b|\bp\.u\./g, 'pick up')
    .replaceAll(/\bd ?\/ ?o(?:ff)?\b|\bd[ -]off\b|\bd\.o\./g, 'drop off')
    .replaceAll(/[.,:*?_-]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** All possible meanings of a heading: "Pickup" is a time or a place. */
export const headingsOf = keeping((cell): readonly Meaning[] => {
  const meant = (said: string) => {
    const words = wordsOf(said);
    return HEADINGS.flatMap(([meaning, pattern]) => (pattern.test(words) ? meaning : []));
  };
  const whole = meant(cell);
  if (whole.length > 0) return whole;
  // "Flt from/to" is where the flight goes.
  if (/\bfl(?:igh)?t\b/i.test(cell)) return ['note'];
  // "Amser / Time" is one heading in two languages; "Vehicle / Driver" has two meanings.
  const [one = [], ...others] = cell
    .split('/')
    .map(meant)
    .filter((part) => part.length > 0);
  if (one.length > 0) return others.every(([other]) => other === one[0]) ? one : [];
  // "Driver: K. Nowak" already holds the value.
  if (/:\s*\S/.test(cell.replace(/^[ap]m:/i, ''))) return [];
  const parts = inParts(wordsOf(cell));
  // "Pick ups (in order)"
  return parts.length > 0 ? parts : meant(cell.replace(/ ?\([^()]*\)$/, ''));
});

const inParts = (words: string): Meaning[] =>
  words.split(' ').length > 5 ||
  (/\d{2}|\b(?:airport|hotel|road|street)\b/.test(words) && !/^(?:back|return) /.test(words))
    ? []
    : [
        ...PARTS.flatMap(([meaning, pattern, not]) =>
          pattern.test(words) && !not?.test(words) ? meaning : [],
        ),
        // "Arrive site" over times.
        ...PARTS.flatMap(([meaning, pattern, not]) =>
          ['time', 'arrives', 'back'].includes(meaning) && pattern.test(words) && not?.test(words)
            ? meaning
            : [],
        ),
      ];

export const isHeading = (cell: string): boolean => headingsOf(cell).length > 0;

export const isRemark = (heading: string | null): boolean =>
  heading === null || REMARKS.test(wordsOf(heading));

/** "Location" shows neither which end it is nor that it is an end at all. */
export const isOfAnyPlace = (heading: string | null): boolean =>
  /^(?:location|loc|place|address|point|where|town|area)s?$/.test(wordsOf(heading ?? ''));

/** "Time" or "At" behind a place is when the vehicle is there. */
export const isOfAnyTime = (heading: string | null): boolean =>
  /^(?:times?|tm|at)$/.test(wordsOf(heading ?? ''));

/** A cell below "School" or "Tour" may be the destination. */
export const isOfVenue = (heading: string | null): boolean =>
  /^(?:school|college|site|event|tour|venue|hotel|club|ground)(?: name)?$/.test(wordsOf(heading ?? ''));

/** Coaches take pupils to their school or from it, so the school is the end that no other column names. */
export const isSchool = (heading: string | null): boolean =>
  /^(?:school|college)(?: name)?$/.test(wordsOf(heading ?? ''));

/** The values below "Name" or "Duty" show whether they are drivers. */
export const isOfAnyCrew = (heading: string | null): boolean =>
  /^(?:(?:(?:operator|staff|employee|his|her) )?names?|duty|duties|man)$/.test(wordsOf(heading ?? ''));

/** Beside a column "Seats", this is the number of people. */
export const isOfPassengers = (heading: string | null): boolean =>
  /\b(?:pax|pass|passengers?)\b/.test(wordsOf(heading ?? ''));

/** "2nd pick up": commas in its cells belong to an address. */
export const isOfOnePlace = (heading: string | null): boolean =>
  /\b(?:[2-9](?:nd|rd|th)?|second|third|fourth)\b/.test(wordsOf(heading ?? ''));

/** "Pick ups (in order)" */
export const isOfPickUps = (heading: string | null): boolean => /^pick ?ups\b/.test(wordsOf(heading ?? ''));

/** "Vehicle type" */
export const isVehicleKind = (heading: string | null): boolean =>
  /\b(?:vehicle|veh|coach|bus)\b.*\b(?:type|size|class)\b/.test(wordsOf(heading ?? ''));

const SIDES = [
  /\b(?:am|mornings?|out(?:ward|bound)?|1|1st|first)\b/,
  /\b(?:pm|afternoons?|home|back|return|rtn|ret|in(?:bound|ward)?|2|2nd|second)\b/,
];

/** The trip of a line that a heading names: 0 for "AM driver", 1 for "Driver (home)" or "Driver 2"; -1: neither. */
export const sideOf = (heading: string | null): number =>
  SIDES.findIndex((side) => side.test(wordsOf(heading ?? '')));

/** How far a column of times is from the time of leaving: 0 is that time, 2 is when the vehicle leaves the depot. */
export const timeRank = (heading: string | null): number => {
  const words = wordsOf(heading ?? '');
  return DEPOT.test(words) ? 2 : STAND.test(words) ? 1 : 0;
};

/** "Finish", of a trip or of a duty. */
export const isFinish = (heading: string | null): boolean =>
  /^(?:finish|end)(?:es|s)?(?: time)?$/.test(wordsOf(heading ?? ''));

/** A flight's time is a deadline only for a trip to the airport. */
export const isOfFlight = (heading: string | null): boolean => /^fl(?:igh)?t\b/.test(wordsOf(heading ?? ''));

/** Whether the cells are only headings, among them one for the start or end of a trip. */
export const isOfTrips = (cells: readonly string[]): boolean => {
  const said = cells.filter(Boolean);
  return said.length > 2 && said.every(isHeading) && said.some(isOfEnd);
};

/** Whether it is the heading of the start or end of a trip. */
export const isOfEnd = (cell: string): boolean =>
  headingsOf(cell).some((one) => one === 'from' || one === 'to' || one === 'trip');
