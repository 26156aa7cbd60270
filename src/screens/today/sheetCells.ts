/** The content of one cell of a day sheet: times, dates, registrations, deadlines. Dates are British: the day comes
 *  before the month. */
import { monthOf } from '#contract/london.ts';

const two = (part: number) => String(part).padStart(2, '0');

const TIME = /^(\d{1,2})(?:[:.;h](\d{2})|(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([ap]\.?(?:m\.?)?|hrs?|h)?$/i;

/** The minutes from midnight until "06:10". */
export const minutesOf = (local: string): number => Number(local.slice(0, 2)) * 60 + Number(local.slice(3));

export interface ClockTime {
  /** "06:10"; "25:15" is 01:15 on the next day. */
  local: string;
  /** True: it may also be twelve hours later, as "6.10" without am, pm or a leading zero. */
  isLoose: boolean;
}

export const later = (local: string, hours: number) =>
  `${two(Number(local.slice(0, 2)) + hours)}${local.slice(2)}`;

/** The time of the way back, which must be after the way out: "2.45" is in the afternoon, "00:30" on the next day. */
export function backAfter({ local, isLoose }: ClockTime, leaves: string): string {
  if (local >= leaves) return local;
  const afternoon = later(local, 12);
  return isLoose && afternoon >= leaves ? afternoon : later(local, 24);
}

/** A trip by coach that is longer is rare. */
export const BACK_FROM_MIN = 270;

/** The time at the end of "27/11/2026 06:10". */
const TIME_AFTER =
  /[T ,](\d{1,2}(?:[:.;h]\d{2}|\d{2})(?::\d{2}(?:\.\d+)?)?(?: ?(?:[ap]\.?m\.?|hrs?|h))?)Z?$/i;

/** The two parts of "27/11/2026 06:10" or "Fri 27 Nov 06:10"; null when a cell does not hold both a day and a time. */
function momentIn(cell: string, near: string): { day: string; time: string } | null {
  const text = cell.trim();
  const found = TIME_AFTER.exec(text);
  if (!found) return null;
  const time = found[1]!;
  const head = text.slice(0, found.index).replace(/,$/, '').trim();
  // "27 Nov 2026" is only a day.
  if (/^(?:19|20)\d\d$/.test(time) && !/\d{4}|[/.-]\d/.test(head)) return null;
  const day = dayIn(head, near);
  return day === null ? null : { day, time };
}

/** The day of a cell with a day and a time; null when it does not hold both. */
export function dayOfTime(cell: string, near: string): string | null {
  if (/^[4-6]\d{4}\.\d+$/.test(cell.trim())) return dayIn(cell, near);
  const weekday = ON_WEEKDAY.exec(cell.trim())?.[2];
  return weekday === undefined ? (momentIn(cell, near)?.day ?? null) : dayIn(weekday, near);
}

/** "00:45 (Sat)" on a sheet for Friday: it is in the night after that day. */
export const isNightOf = (cell: string, day: string): boolean =>
  ON_WEEKDAY.test(cell.trim()) &&
  dayOfTime(cell, day) === daysAfter(day, 1) &&
  (timeIn(cell)?.local ?? '24') < '06:00';

const ON_WEEKDAY = /^(\d[^(]*?) ?\(((?:mon|tue|wed|thu|fri|sat|sun)[a-z]*)\)$/i;
const NEXT_DAY = /^(\d[^(+]*?) ?\(?\+ ?1(?: day)?\)?$/i;

/** "approx 0700": the cell says that its time is not exact. */
export const isAbout = (cell: string): boolean =>
  /^\s*(?:circa|approx|about|c\.|~)|\d ?(?:ish|onwards)\s*$/i.test(cell);

const SPAN = /^(\d[^-–—]*?) ?(?:-|–|—|to) ?(\d[^-–—]*)$/i;

/** "06:10-10:40": the times of leaving and arriving. */
export function spanIn(cell: string): [leaves: ClockTime, arrives: ClockTime] | null {
  const [, from = '', to = ''] = SPAN.exec(cell.trim()) ?? [];
  const [leaves, arrives] = [timeOf(from), timeOf(to)];
  return leaves && arrives ? [leaves, arrives] : null;
}

/** The time of leaving in a cell that holds it, alone or with its day or its arrival. */
export const timeIn = (cell: string): ClockTime | null =>
  timeOf(cell) ?? spanIn(cell)?.[0] ?? amendedTime(cell);

/** "rtn 1500", "back at 3pm": the words before the time. */
export const BACK_AT = /^(?:back|return(?:s|ing)?|rtn|ret)(?: at)? (?=\d)/i;

/** "1315 NOW 1345" */
const AMENDED = / ?(?:\bnow\b|\b(?:changed|amended|moved) to\b|→|=>) ?/i;

/** The time that replaces another in the same cell; null when there is none. */
export function amendedTime(cell: string): ClockTime | null {
  const [before = '', after = '', ...more] = cell.split(AMENDED);
  return more.length === 0 && timeOf(before) ? timeOf(after) : null;
}

/** The same function, which keeps its answers: the steps of reading a sheet ask about the same cells again. */
export function keeping<T>(of: (cell: string) => T): (cell: string) => T {
  const answers = new Map<string, T>();
  return (cell) => {
    const kept = answers.get(cell);
    if (kept !== undefined) return kept;
    if (answers.size >= KEPT_MAX) answers.clear();
    const answer = of(cell);
    answers.set(cell, answer);
    return answer;
  };
}
const KEPT_MAX = 10_000;

/** "06:10", "6.10am", "0610", "610hrs", "7 pm", "19:15:00", "24/11/2026 06:10", or 0.2569 from a spreadsheet. */
const timeOf: (cell: string) => ClockTime | null = keeping((cell) => {
  const [, onWeekday] = ON_WEEKDAY.exec(cell.trim()) ?? [];
  if (onWeekday !== undefined) return timeOf(onWeekday);
  const [, before] = NEXT_DAY.exec(cell.trim()) ?? [];
  const night = before === undefined ? null : timeOf(before);
  if (night && night.local < '24:00')
    return { local: `${Number(night.local.slice(0, 2)) + 24}${night.local.slice(2)}`, isLoose: false };
  const alone = momentIn(cell, '2026-01-01')?.time ?? cell;
  const text = alone
    .trim()
    .replaceAll(/^~{1,3}|~{1,3}$/g, '')
    .replace(/^([ap])\.?m\.? (\d.*)$/i, '$2 $1m')
    .replace(/(?: ?\(?\b(?:sharp|prompt|latest|onwards)\)?|ish|[*†]{1,3})$/i, '')
    .replace(/^(?:dep(?:art(?:s|ure)?)?|arr(?:ives?)?|at|leaves?|circa|approx\.?|about|c\.|~)[:.\s]*/i, '')
    .replace(/Z$/, '');
  if (/^(?:12 ?)?(?:noon|mid-?day)$/i.test(text)) return { local: '12:00', isLoose: false };
  if (/^(?:12 ?)?mid-?night$/i.test(text)) return { local: '00:00', isLoose: false };
  if (/^half past mid-?night$/i.test(text)) return { local: '00:30', isLoose: false };
  const spoken = spokenTime(text);
  if (spoken) return spoken;
  if (/^0?\.\d{3,}$/.test(text)) return ofDay(Number(text));
  if (/^[4-6]\d{4}\.\d+$/.test(text)) return ofDay(Number(text) % 1);
  const [found, first = '', minutes, bare, half = ''] = TIME.exec(text) ?? [];
  if (found === undefined) return null;
  // "610" counts as "0610" only with a word such as "hrs"; alone it may be any number.
  if (bare !== undefined && first.length === 1 && half === '') return null;
  if (minutes === undefined && bare === undefined && !/^(?:h|..)/i.test(half)) return null;
  const minute = Number(minutes ?? bare ?? 0);
  const isHalf = /^[ap]/i.test(half);
  const hour = Number(first);
  if (minute > 59 || hour > 47 || (isHalf && (hour < 1 || hour > 12))) return null;
  const whole = isHalf ? (hour % 12) + (/^p/i.test(half) ? 12 : 0) : hour;
  const isLoose = half === '' && first.length === 1 && hour >= 1;
  return { local: `${two(whole)}:${two(minute)}`, isLoose };
});

const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const MINUTES: Record<string, number> = { five: 5, ten: 10, quarter: 15, twenty: 20, half: 30 };
const O_CLOCK = /^(\d{1,2}|[a-z]{3,6}) ?o['’]?clock(?: ?([ap])\.?m\.?)?$/i;
const SPOKEN =
  /^(?:a )?(\d{1,2}|five|ten|quarter|twenty(?:[- ]five)?|half)(?: mins?| minutes)? (past|to) (\w+)(?: ?([ap])\.?m\.?)?$/i;

/** "10 past 6", "half past nine pm", "quarter to eight" */
function spokenTime(text: string): ClockTime | null {
  const [, sharp, noon] = O_CLOCK.exec(text) ?? [];
  if (sharp !== undefined)
    return timeOf(`${HOURS.indexOf(sharp.toLowerCase()) + 1 || sharp}:00${noon ? `${noon}m` : ''}`);
  const [, some = '', way, of = '', half] = SPOKEN.exec(text.toLowerCase()) ?? [];
  const hour = HOURS.indexOf(of) + 1 || Number(of);
  const minutes = some !== 'five' && some.endsWith('five') ? 25 : (MINUTES[some] ?? Number(some));
  if (way === undefined || !(hour >= 1 && hour <= 12) || !(minutes > 0 && minutes < 60)) return null;
  const whole = (half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0)) * 60;
  const at = (whole + (way === 'to' ? -minutes : minutes) + 24 * 60) % (24 * 60);
  return { local: `${two(Math.floor(at / 60))}:${two(at % 60)}`, isLoose: half === undefined };
}

/** A spreadsheet's time, which is the share of a day. */
function ofDay(share: number): ClockTime {
  const minutes = Math.round(share * 24 * 60) % (24 * 60);
  return { local: `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`, isLoose: false };
}

/** A column of times from a spreadsheet as clock times. Spreadsheets store shares of a day (0.2569), whole numbers
 *  (610, 1630), or 6.1 for 6.10. Null when the numbers are not clearly one of these. */
export function clockColumn(cells: readonly string[]): string[] | null {
  const isNumber = (cell: string) => /^\d{0,4}(?:\.\d+)?$/.test(cell) && /\d/.test(cell);
  const numbers = cells.filter(isNumber);
  const said = cells.filter(Boolean);
  if (numbers.length === 0 || numbers.length < said.length * 0.6) return null;
  const read = (of: (cell: string) => string) => cells.map((cell) => (isNumber(cell) ? of(cell) : cell));
  const isShare = (cell: string) =>
    Number(cell) < 1 && (cell.length > 4 || (Number(cell) * 24 * 12) % 1 === 0);
  if (
    numbers.every((cell) => Number(cell) < 1) &&
    (numbers.some((cell) => cell.length > 4) || numbers.every(isShare))
  )
    return read((cell) => ofDay(Number(cell)).local);
  const clock = (hour: string, minute: string) => `${Number(hour)}:${minute}`;
  const isClock = (hour: string, minute: string) => Number(hour) < 28 && Number(minute) < 60;
  if (numbers.every((cell) => /^\d{3,4}$/.test(cell) && isClock(cell.slice(0, -2), cell.slice(-2))))
    return numbers.some((cell) => cell.length === 3)
      ? read((cell) => `${cell.slice(0, -2).padStart(2, '0')}:${cell.slice(-2)}`)
      : null;
  const parts = (cell: string) => {
    const [hour = '', minute = ''] = cell.split('.');
    return [hour || '0', minute.padEnd(2, '0')] as const;
  };
  const isTyped = (cell: string) => /^\d{0,2}(?:\.\d{1,2})?$/.test(cell) && isClock(...parts(cell));
  // 0.75 is no clock, so it is 18:00, even above 19.30.
  const isShares = numbers.some((cell) => isShare(cell) && !isTyped(cell));
  const isOfShares = (cell: string) => isShares && isShare(cell);
  return numbers.some((cell) => cell.includes('.')) &&
    numbers.every((cell) => isTyped(cell) || isOfShares(cell))
    ? read((cell) => (isOfShares(cell) ? ofDay(Number(cell)).local : clock(...parts(cell))))
    : null;
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WEEKDAY = /\b(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?,?/gi;

export const weekdayIn = (cell: string): number =>
  WEEKDAYS.indexOf((cell.match(WEEKDAY)?.[0] ?? '').slice(0, 3).toLowerCase());

/** "Thu 28 Nov" when the 28th is a Saturday. */
export const isOtherWeekday = (cell: string, day: string): boolean =>
  weekdayIn(cell) >= 0 && weekdayIn(cell) !== new Date(day).getUTCDay();

/** "Dep (CET)", "18:00 UTC", "Paris time" */
const ZONE =
  /\b(CES?T|EES?T|UTC|GMT|BST)\b|\b(?:Paris|French|Spanish|German|Dutch|Belgian|Irish|(?:Central )?European|Continental) [Tt]ime\b/;
const LONDON_ZONE = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeZoneName: 'short' });

/** Whether a text names a clock that is not that of London on this day. */
export function isAbroad(text: string, day: string): boolean {
  const [found, zone] = ZONE.exec(text) ?? [];
  return found !== undefined && !(zone && LONDON_ZONE.format(new Date(`${day}T12:00Z`)).endsWith(zone));
}

/** "Coach 3", "Mini 1", "Van A": a vehicle's kind and number. */
export const isVehicle = (cell: string): boolean =>
  /^(?:coach|bus|mini(?:bus|coach)?|midi|sprinter|vito|transit|van|car) ?(?:\d{1,3}|[a-z])$/i.test(cell);

/** "BA2768", "EZY 8301": a flight of an airline that is known here. */
export const isFlight = (cell: string): boolean =>
  /^(?:BA|EZY|EJU|U2|FR|RK|LS|EXS|TOM|BY|VS|W[469]|KL|LH|EI|LX|AF|SK|VY|IB|AA|UA|DL|EK|QR|TK|LM|EY|AC|SQ|CX|AY|TP|OS|SN|LO|AZ|RYR) ?\d{2,4}$/i.test(
    cell.trim(),
  );

/** Makes and kinds of vehicles. */
export const MAKES =
  /\b(?:volvo|irizar|tourino|solo|tempo|sprinter|levante|neoplan|setra|mellor|vdl|futura|mercedes|otokar|king long|higer|merc(?:edes)?|merco|scania|beulas|caetano|van ?hool|plaxton|yutong|temsa|transit|optare|daf|vario|vito|crafter|iveco|bova|tourismo|jonckheere|seater|seats?|\d{1,2} ?str|mini(?:bus)?|midi|double ?deck(?:er)?)\b/i;

/** First names of drivers, without those that are in the names of companies or are towns as well. */
const FIRST_NAMES = new Set(
  `aaron abbie abdi abdul abdullah abi adam ade adele adnan adrian afzal agata agnes agnieszka ahmed aidan
   aisha akhtar alan alasdair alastair aled aleksandra alex alf alfie ali alicja alison alistair allan alun
   alwyn amanda amanpreet amina amir amit amjad amrit amy anastasia andrea andreas andrei andrew andrzej andy
   angela angie angus anil anita anjali anjum ann anna annabel annalise anne annette annie anthony anton
   antoni anwar archibald archie arjun arron arthur artur arun arvind arwel ashok asif astrid athol
   audrey ava avtar ayesha babs baljit balwinder barbara barney barrie bartek bartosz bashir baz beata
   beatrice becca becky bella ben benny bernadette bernard bert beryl beth bethan bethany bev bharat
   bhavesh bilal bill billie billy bob bobby bogdan boris brad brenda brendan brett brian
   bridget brigid bronagh bronislaw bronwen bruce bryn caitlin callum cameron camilla candice carl carla
   carly carmen carol caroline caron carys casper cath catherine cecil cedric ceri cerys charlie chas cheryl
   chesney chloe chris christian christine christopher ciara cillian claire clarence clem cleo clifford
   clint clive colette colin colleen connor conor constantin corey costel courtney craig cristian cristina
   curtis cynthia cyril dafydd dai damian damien dan dani daniel daniela danny danuta daphne darek darius
   dariusz darragh darren daryl dave david davie davina davinder dawn dean deano deb debbie deborah declan
   deepak deirdre del delme delroy delyth denise dennis denzil derek dermot derrick des desi desmond devinder
   dewi dhiraj diana diane dieter dilip dilys dimitar dimitri dinesh dion dolores dom don donal donald donna
   dora dorin doris dorota dorothy dot doug dougal dougie dragan duane duncan dwayne dylan dympna
   eamon eamonn ebony ed eddie eddy edith edna edward edwin edyta egle eifion eileen eilidh eira elaina
   elaine eleanor elena eleni eleri eli elias elin elisabeth eliza elizabeth ella ellen ellie elliott eluned
   elwyn emil emilia emily emlyn emma emyr enid enrique eoin eric erica erik erin ernie errol esme esther
   ethan ethel euan eugene eunice eva evan evelyn ewa ewan fabio faheem faisal farah fareed farooq farouk
   farrukh fatima fay felicity felix fergus ffion filip finlay fiona florin floyd frances francis frank
   frankie fred freda freddie frederick freya gabriel gabriela gail gareth garfield garry gary gav gavan
   gavin gaynor gemma gennaro geoff george georgina geraint gerald geraldine gerard germaine gerry gethin
   ghulam gian giles gill gina ginny gita gladys glen glenda glenn glenys gloria glyn glynis goran gordon grace
   graham grainne greg greta gruff grzegorz gurdeep gurjit gurpreet gustavo guto gwen gwenda gwenllian gwil
   gwilym gwyn gwyneth habib hafiz hamid hamish hamza hannah hans hardeep hari harinder harj harjit harold
   haroon harpreet harriet harry hasan hassan hattie hayley hazel hazem heather hefin hefina heidi heledd
   helen helena henry henryk herbert hilary hilda horace howard howell hubert huda hugh humphrey hussein huw
   hywel ian ida idris iestyn ieuan ifan ignacy igor ilie imelda imogen imran ina inderjit inga ingrid iona
   ionut iqbal irena irene irfan irina isaac isabel ishaq isla ismail isobel ivan ivana iveta ivor ivy
   iwan iwona izabela jacek jack jackie jackson jacob jacqueline jacqui jagdeep jake jakub jamal james jamie
   jamila jan jana jane janet janice janusz jarek jaroslaw jas jason jaspal jaspreet jaswinder javed javier
   jayne jaz jean jeanette jed jeff jen jenna jennifer jenny jeremy jermaine jerome jerry jess jessica jill
   jim jimmy jitendra jo joan joana joanna joanne jodie joe joel johan johanna john johnny jolanta jon
   jonathan jools jorge jose josef joseph josephine josh joshua josie joyce jozef juan judith judy julia
   julian julie juliet julius justin justyna kabir kacper kaja kamal kamil kamran karen karim karl karol
   karolina kashif kasia katarzyna kate kath kathleen kathryn katie katy kavita kay keeley keir keiran keith
   kelly kelvin ken kenny kerri kerry kevan kevin khalid khalil khurram kieran kim kiran kirsten kirstie
   kirsty kris krish kristian kristina krystyna krzysztof kuba kuldeep kulwinder kurt kyle lachlan laila
   lakhbir lana lars laszlo latif laura lauren laurence laurie leanne lech lee len lena lenny leon
   leona leonard leroy les lesley leszek lewis liam libby lidia lila lilian linda linford lionel lisa
   liz lizzie lloyd lois lorenzo lorna lorraine lottie louisa louise lubos lucas lucia lucian lucjan
   lucy luis luiza lukas lukasz luke lula lydia lyn lynn maciej maddie madeleine madge magda magdalena maggie
   mags mahmood maisie maja majid maksim mal malcolm malgorzata malik mamadou mandy manjit manuel marc marcel
   marcin marcus marek margaret margarita margot maria marian mariana marie marika marilyn marion marius
   mariusz marjorie mark marlene marlon marta martin martyn marvin mary maryam matej mateusz matt matthew
   matthias maud maureen maurice mavis max maxine meg mehmet meinir mel melanie melvin mena merv mervyn mia
   micah michael michal michele michelle mick miguel mihaela mihai mike mikey mikolaj milan mildred millie
   milly milos mina mircea mirek miriam miroslav mitch mitesh mo mohamed mohammad mohammed moin moira moishe
   mollie mona monica morag morgan morwenna moses moshe mubarak muhammad muhammed munir murdo muriel murray
   mustafa myfanwy myra nadeem nadia nadine naeem nancy naomi narinder nas naseem nasir nasreen natalia
   natalie natasha nathan navdeep naz ned neela neil nerys nesta nev neville nia niall niamh nicholas nick
   nico nicola nicole nicos nige nigel nikhil nikki nils nisha nita noel nora noreen norma norman nuala nuno
   oana odette oisin ola oleg olga olive oliver olivia ollie olu olwen omar orla oscar osian osman othman
   otis otto owain owen paddy padraig pam pamela parminder parveen pascal pat patricia patrick patsy paul
   paula pauline pavel pawel peggy penny percy perry petar pete peter petra petru phil phoebe piers piotr
   pippa polly poppy pradeep prakash pramod pritpal priya przemek rab rachael rachel radek radu rafael rafal
   rahul raj rajesh rajinder ralph ramesh ramona randolph ranjit rashid rashida ravi ravinder ray raymond
   rebecca rebekah reece reg regina rehan renee reuben rex rhian rhiannon rhodri rhona rhydian rhys ricardo
   richard richie rick ricky rita ritchie riz rizwan rob robbie robert roberta robin robyn rocky rod roddy
   rodger rodney roger roland rolf roman romeo ron ronan ronnie rory rosa rosalind rosemary rosie rowan
   roxanne roy roz rubina ruby rupert rupinder russ russell ruth ryan ryszard saba sabina sadie saeed safia
   sajid sal saleem salim sally salman sam samantha samina samir samuel sandra sanjay sanjeev sanjit saqib
   sarah sarfraz saskia satnam satpal satwinder saul scott sean seb sebastian selwyn sergei seth shabir
   shafiq shahid shakeel shamim shane shanti sharad sharif sharon shashi shaun shauna shaz shazia sheena
   sheikh sheila shelagh sherry shirin shirley shona shyam sian sid sidney silvia simon simone sinead
   siobhan sion sioned siraj sizwe slawek sofia solomon sonia sonja sonny sophie soraya spencer stacey stacy
   stan stanislaw stefan stelian stella steph stephen steve stevie stew stewart stuart stuey sue sukhdev
   sukhjit sukhwinder suki sultan sunil sunita suresh surinder surjit susan suzanne suzie sven svetlana
   sylvia sylwia szymon tadeusz tahir talfryn tam tamara tamas tania tanveer tanya tara tariq tasha ted tegan
   tegwen teresa terri terry tess thelma theo theresa thierry thomas thora tiago tilly tim tina titch tobias
   toby tod tom tomasz tomek tommy tomos toni tony tracey tracy travis trefor trev trevor tricia trinny trish
   trudy tudor tudur tyler tyrone uche umar una urszula usha uzma val valentin valerie vanessa vasile vaughan
   veena velma vera verity vernon veronica vic vicky vijay vijaya vikram viktor vince vincent viorel vivian
   vivienne vlad waheed wally walter wanda waqar waqas warren wasim wayne wendell wendy wes wesley wiktor
   wilf wilfred wilhelmina will willie wilma winifred winnie winston witold wojciech wullie wyn xavier yannis
   yasin yasir yasmin yiannis yolanda yousaf yousef yusuf yvette yvonne zac zachary zafar zaheer zahid zainab
   zak zara zbigniew zeb zeeshan zena zoe zofia zoltan zubair zuzanna hughie nobby lou sandeep del kev daz gaz tez jez lez ste chaz matty nath rab isobel huw bryony tegs gaz wolf ronny jimbo shazza bazza trish alby eck gus hec isa mhairi catriona iain ewan ailsa eilidh fergie donnie donny`.split(
    /\s+/,
  ),
);

/** "Dave", "Dave H" */
export const isFirstName = (cell: string): boolean =>
  FIRST_NAMES.has(cell.toLowerCase().split(' ')[0]!) &&
  /^\p{L}+(?: (?:\p{Lu}[\p{L}'’-]*|\p{L})\.?)?$/u.test(cell);

const WEEKDAYS_WORD = /^(?:m|mon?|tue?s?|w|wed?s?|wednes|thu?|thurs?|f|fri?|sat?|satur|sun?)$/i;
const WEEK = 'MTWTFSS';

/** The days of the week in "MTWT-", "Tu Th", "M W F" or "Sat only", 0 for Sunday; null when it names none. */
export function weekdaysIn(cell: string): number[] | null {
  const text = cell.replace(/ only$/i, '').trim();
  if (text.length >= 5 && [...text].every((mark, at) => mark === WEEK[at] || /[-–_.]/.test(mark)))
    return [...text].flatMap((mark, at) => (mark === WEEK[at] ? (at + 1) % 7 : []));
  if (/^(?:daily|every day|7 days)$/i.test(text)) return WEEKDAYS.map((_, at) => at);
  const words = text.split(/[\s,/&+–-]+/).map((word) => word.replace(/day$/i, ''));
  if (!words.every((word) => WEEKDAYS_WORD.test(word))) return null;
  const days = words.map((word) =>
    WEEKDAYS.findIndex((name) => name.startsWith(word.slice(0, 3).toLowerCase())),
  );
  const [first = 0, last = 0, ...more] = days;
  if (!/[–-]/.test(text) || days.length === 1) return days;
  // "Mon-Fri"
  return more.length > 0
    ? null
    : WEEKDAYS.map((_, at) => (first + at) % 7).slice(0, ((last - first + 7) % 7) + 1);
}

/** The day nearest to `near` with the weekday in `cell`. */
export function weekdayNear(cell: string, near: string): string {
  const ahead = (weekdayIn(cell) - new Date(near).getUTCDay() + 7) % 7;
  return daysAfter(near, ahead > 3 ? ahead - 7 : ahead);
}

const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** The day of a job that runs on some weekdays: `near` if it is one of them, otherwise another. */
export function dayOfRun(cell: string, near: string): string | null {
  const days = weekdaysIn(cell) ?? [];
  if (days.includes(new Date(near).getUTCDay())) return near;
  return days[0] === undefined ? null : weekdayNear(WEEKDAYS[days[0]]!, near);
}

/** A day as `2026-11-24`, from "24/11/2026", "24.11.26", "Tue 24 Nov", "24th November 2026", "2026-11-24", or 46350
 *  from a spreadsheet. Without a year, or as a weekday alone, it is the day nearest to `near`. */
export function dayIn(cell: string, near: string): string | null {
  const text = cell.trim().replaceAll(WEEKDAY, ' ').replace(/\s+/g, ' ').trim();
  if (text === '' && weekdayIn(cell) >= 0) return weekdayNear(cell, near);
  const bare = weekdayIn(cell) < 0 ? null : /^(\d{1,2})(?:st|nd|rd|th)?$/i.exec(text);
  if (bare)
    return nearest(
      near,
      [-1, 0, 1].flatMap((months) => dayOfMonth(near, months, Number(bare[1]))),
    );
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  if (/^[4-6]\d{4}(?:\.\d+)?$/.test(text)) {
    // Spreadsheets count days from 30 December 1899.
    return new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(text)) * 86_400_000)
      .toISOString()
      .slice(0, 10);
  }
  const figures = /^(\d{1,2})([/.-])(\d{1,2})(?:[/.-](\d{2,4}))?(?: .*)?$/.exec(text);
  if (figures && (figures[4] !== undefined || figures[2] === '/'))
    return withYear(figures[4], Number(figures[3]), Number(figures[1]), near);
  const named = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]?([a-z]{3,9})\.?,?(?:[ -]?(\d{2,4}))?$/i.exec(
    text.replace(/^([a-z]{3,9}) (\d{1,2}),? (?=\d{4}$)/i, '$2 $1 '),
  );
  const month = named && MONTH.test(named[2]!) ? monthOf(named[2]!) : 0;
  return named && month > 0 ? withYear(named[3], month, Number(named[1]), near) : null;
}

/** The day of "Mon 7", or of "Mon driver" when it is a heading. */
export const dayOfHeading = (heading: string, near: string): string | null =>
  dayIn(heading.replace(/ (?:driver|drv|coach|vehicle)$/i, ''), near);

/** Names of months, in full or short: "Margate" is none. */
export const MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/i;
const DAY_WITHIN = new RegExp(
  String.raw`\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH.source}\.?(?:,? \d{4}\b| \d{2}\b(?![:.]\d| ?(?:seat|str|pax|p\b|people)))?|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2}|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* \d{1,2}(?:\/\d{1,2}(?![\d/])|(?:st|nd|rd|th)\b(?! (?:of )?${MONTH.source}))`,
  'gi',
);
/** Words before dates that are not the day of the jobs. */
const OTHER_DAY =
  /\b(?:print|produce|create|issue|revise|update|export)|^sent:|\bversion\b|\bweek\b|\bw(?:\/[ce]|c|e(?= \d))\b/i;

/** The days in a title: "Jobs for Tuesday 24 November 2026", "Fri 27/11 into Sat 28/11". */
export function daysWithin(title: string, near: string): string[] {
  if (OTHER_DAY.test(title)) return [];
  return (title.match(DAY_WITHIN) ?? []).flatMap((found) => dayIn(found, near) ?? []);
}

/** The text without the days in it. */
export const withoutDays = (text: string): string =>
  text
    .replaceAll(
      new RegExp(String.raw`(?:\b(?:on|for) )?(?:${WEEKDAY.source} ?)?(?:${DAY_WITHIN.source}),? ?`, 'gi'),
      '',
    )
    .trim();

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && year > 1999 && year < 2100 ? date.toISOString().slice(0, 10) : null;
}

function withYear(said: string | undefined, month: number, day: number, near: string): string | null {
  if (said !== undefined) return dayOf(said.length === 2 ? 2000 + Number(said) : Number(said), month, day);
  const year = Number(near.slice(0, 4));
  return nearest(
    near,
    [year - 1, year, year + 1].flatMap((one) => dayOf(one, month, day) ?? []),
  );
}

function nearest(near: string, days: readonly string[]): string | null {
  const away = (candidate: string) => Math.abs(Date.parse(candidate) - Date.parse(near));
  return days.toSorted((one, other) => away(one) - away(other))[0] ?? null;
}

/** "27th" in the month of `near`, or `months` later; empty when that month has no such day. */
function dayOfMonth(near: string, months: number, date: number): string[] {
  const first = new Date(`${near.slice(0, 7)}-01`);
  first.setUTCMonth(first.getUTCMonth() + months);
  const day = dayOf(first.getUTCFullYear(), first.getUTCMonth() + 1, date);
  return day === null ? [] : [day];
}

/** A registration of Great Britain (present form, or with a prefix or suffix) or of Northern Ireland. */
export const isRegistration = (cell: string): boolean =>
  /^(?:[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]\d{1,3} ?[A-Z]{3}|[A-Z]{3} ?\d{1,3}[A-Z]|[A-Z]{1,3} ?\d{3,4}|\d{1,4} ?[A-Z]{1,3})$/i.test(
    cell.trim(),
  );

/** False for cells that say that nothing is known: "?", "TBC", "#N/A", "-". */
export const isGiven = (cell: string): boolean =>
  !/^(?:[?.\-–—/ ]*|t\.?b\.?[cads]\.?\??|n\/?a|#(?:n\/a|ref!|value!|name\?|null!|div\/0!|num!)|none|unknown|not known|nil|spare|vacant|(?:not |un)(?:allocated|assigned))$/i.test(
    cell.trim(),
  );

/** "TBC", "?": there is something, and it is not known yet. */
export const isOpen = (cell: string): boolean => /^(?:t\.?b\.?[acd]\.?\??|\?+)$/i.test(cell);

/** Marks that repeat the cell above. */
export const isDitto = (cell: string): boolean =>
  /^(?:["“”„〃]|''|ditto|do\.?|-? ?["″] ?-?|as above)$/i.test(cell.trim());

const PLATE = /\b(?:[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]\d{1,3} [A-Z]{3})\b/;
/** A registration of Northern Ireland, whose last two letters stand for its county. Shorter numbers and times may stand
 *  behind any short word in capitals. */
const PLATE_NI =
  /\b(?!VIA|FRI)(?:[A-Z](?:I[ABGJLW]|UI|JI|OI|XI)|[A-Z](?!IZ|QZ)[A-Z]Z) (?!0|(?:1\d|2[0-3])[0-5]\d\b)\d{3,4}\b/;
/** A registration of the present form is surer than one of letters and a number, which can be a name and a number. */
function plateOf(cell: string): RegExpExecArray | null {
  const other = PLATE_NI.exec(cell);
  return PLATE.exec(cell) ?? (other && isFirstName(other[0].slice(0, 3)) ? null : other);
}
/** Words of places that stand in brackets. */
export const PLACE =
  /\b(?:t\d|terminal|airport|arrivals|departures|stn|station|north|south|east|west|bay|stand|gate|stop|market|mkt|centre|center|hotel|park|road|rd|street|st|school|college|university|services|hospital|docks?|port|ferry|via|pl|sq|square)\b/i;

export interface Ends {
  place: string;
  vehicle: string | null;
  driver: string | null;
  people: string | null;
  /** Words that were taken off, because they may be a person's name. */
  rest: string | null;
}

/** "York, 38 pax", "York x22" */
const PEOPLE =
  /(?<![\s,;([–-])[\s,;([–-]+(?:x ?(?=\d))?(\d{1,3})(?:(?<=x ?\d+)| ?(?:p|pax|px|passengers|people|seats))[)\]]?$/i;

/** "LBA, 49 seater" */
const SEATER = /(?<![\s,;([–-])[\s,;([–-]+(\d{1,2}[- ]?(?:seater|str)s?)[)\]]?$/i;

const DUE = String.raw`(?:check[ -]?in|bag drop|(?:arrive|arr|be there|there|due) (?:by|for|at)|due|by|in for|for)(?: (?:is|at|by|opens|closes))?:? \d[\d:.]{0,4}(?: ?[ap]m| ?hrs)?`;
/** "T2, check-in 09:10", "York (arrive by 10:30)", "York for 0930" */
const DUE_BEHIND = new RegExp(String.raw`^(\S.*?)[,;]? (?:[-–] )?\(?(${DUE})\)?$`, 'i');
/** "check-in 09:10": when its passengers must be where the trip ends. */
export const isDue = (words: string): boolean => new RegExp(`^${DUE}$`, 'i').test(words);

/** "Leeds - Skipton stopping", "York (fast)", "Leeds to York contract", "York ❌" */
const STOPPING =
  /^(\S.*?)[,;]? \(?(❌|🚫|⛔|stopping|(?:semi[- ])?fast|direct|non[- ]?stop|express|limited stop|all (?:stops|stations)|(?:(?:school|private) |(?<! [a-z]+ ))(?:contract|hire|transfer))\)?$/;

/** Words behind a trip, after a dash: "Malton to York - Dave in MK12". */
const BEHIND = /^(.+ to .+?) [-–] ./i;

/** A place, without data that is only for the team: "Whitby (FJ69 RKE, Tom)", "Whitby, FJ69 RKE, Tom". `isWhole`:
 *  the cell may hold a whole trip, so any words in brackets at its end are taken off, unless they belong to a place.
 *  `known`: the vehicle and the driver of its row. */
export function placeOnly(said: string, isWhole: boolean, known: readonly string[] = []): Ends {
  const more = isWhole ? behindTrip(said) : null;
  if (more) {
    const { trip, ...extras } = more;
    const inner = placeOnly(trip, true, known);
    return {
      place: inner.place,
      vehicle: extras.vehicle ?? inner.vehicle,
      driver: extras.driver ?? inner.driver,
      people: extras.people ?? inner.people,
      rest: [inner.rest, extras.rest].filter(Boolean).join(', ') || null,
    };
  }
  const [, ahead = '', due = ''] = DUE_BEHIND.exec(said) ?? [];
  if (deadlineIn(due)) {
    const other = placeOnly(ahead, isWhole, known);
    return { ...other, rest: [other.rest, due].filter(Boolean).join(', ') };
  }
  const [, called = '', stopping = ''] = STOPPING.exec(said) ?? [];
  if (stopping !== '') {
    const other = placeOnly(called, isWhole, known);
    return { ...other, rest: [other.rest, stopping].filter(Boolean).join(', ') };
  }
  const people = PEOPLE.exec(said)?.[1] ?? null;
  const sized = isWhole ? SEATER.exec(said)?.[1] : undefined;
  if (sized !== undefined) {
    const other = placeOnly(said.replace(SEATER, ''), isWhole, known);
    return { ...other, vehicle: other.vehicle ?? sized };
  }
  const bare = said.replace(PEOPLE, '');
  // "(coach 14, 48 pax)" is one pair of brackets.
  const cell = bare !== said && bare.lastIndexOf('(') > bare.lastIndexOf(')') ? `${bare})` : bare;
  const at = privateFrom(cell);
  const tail = cell
    .slice(at + 1)
    .replace(/^[-–] |[)\]]$/g, '')
    .trim();
  const place = cell.slice(0, at).trim();
  const isPrivate =
    hasPlate(tail) ||
    isFlight(tail) ||
    /\b(?:driver|drv)\b/i.test(tail) ||
    known.some((word) => word !== '' && tail.toLowerCase() === word.toLowerCase()) ||
    (isWhole && BEHIND.test(cell) && !PLACE.test(tail)) ||
    (isWhole && /[)\]]$/.test(cell) && tail !== '' && (!PLACE.test(tail) || /\d[:.]\d\d/.test(tail)));
  if (!isPrivate || place === '') return { place: cell, vehicle: null, driver: null, people, rest: null };
  const vehicle = plateIn(tail) ?? (isVehicle(tail) ? tail : null);
  const words = tail
    .replace(vehicle ?? '', '')
    .split(/[,;|/]|(?:^| )[-–] /)
    .map((word) => word.trim())
    .filter(Boolean);
  // Beside its vehicle, a first name is the driver's, and so is the only name.
  const [named, ...others] = words.filter((word) => GIVEN.test(word) && !PLACE.test(word));
  const driver =
    vehicle === null ? undefined : (words.find(isFirstName) ?? (others.length > 0 ? undefined : named));
  const rest = words.filter((word) => word !== driver).join(', ');
  // "York (Mr Khan, 4 pax) - Dave" and "York (11) [Dave]" have two such parts.
  const inner =
    BEHIND.test(cell) || (isWhole && /[)\]]$/.test(place)) ? placeOnly(place, isWhole, known) : null;
  return {
    place: inner?.place ?? place,
    vehicle: vehicle ?? inner?.vehicle ?? null,
    driver: driver ?? inner?.driver ?? null,
    people: people ?? inner?.people ?? null,
    rest: [inner?.rest, rest].filter(Boolean).join(', ') || null,
  };
}

const HEADS = /^(\d{1,3})(?: ?(?:pax|px|passengers|people|seats|kids|pupils))?$/i;

/** Splits "Leeds > York / coach 3 / Mags / 55" and "Leeds - York - 44" into the trip and the parts behind it that
 *  are clearly not places; null when there are none. */
function behindTrip(cell: string): (Omit<Ends, 'place'> & { trip: string }) | null {
  const parts = cell.split(/( ?[,;/|] ?| [-–] | (?=\d{1,3} ?(?:pax|px)\b)|(?<=\d ?(?:pax|px)) )/i);
  const headsIn = (part: string) => {
    const [, heads] = HEADS.exec(part) ?? [];
    return heads !== undefined && Number(heads) > 0 && Number(heads) <= 120 ? heads : null;
  };
  const isOther = (part: string) =>
    vehicleAlone(part) !== null || headsIn(part) !== null || isFirstName(part.replace(/\.$/, ''));
  const tripOf = (at: number) =>
    parts
      .slice(0, at - 1)
      .join('')
      .trim();
  const from = parts.findIndex(
    (part, at) => at > 0 && at % 2 === 0 && isOther(part.trim()) && endsOf(tripOf(at)) !== null,
  );
  if (from < 0) return null;
  const found = { vehicle: null, driver: null, people: null } as Record<string, string | null>;
  const rest: string[] = [];
  for (const part of parts.slice(from).filter((_, at) => at % 2 === 0)) {
    const bare = part.trim().replace(/\.$/, '');
    const kind = vehicleAlone(bare)
      ? 'vehicle'
      : headsIn(bare)
        ? 'people'
        : GIVEN.test(bare)
          ? 'driver'
          : null;
    if (kind !== null && found[kind] === null) found[kind] = kind === 'people' ? headsIn(bare) : bare;
    else if (bare !== '') rest.push(bare);
  }
  const { vehicle = null, driver = null, people = null } = found;
  return { trip: tripOf(from), vehicle, driver, people, rest: rest.join(', ') || null };
}

const GIVEN = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}\.?)?$/u;

/** The index at which the brackets at the end begin, otherwise the comma or dash before a registration; the length
 *  if there is neither. */
function privateFrom(cell: string): number {
  if (/[)\]]$/.test(cell)) return Math.max(cell.lastIndexOf('('), cell.lastIndexOf('['), 0);
  const plate = plateOf(cell)?.index ?? 0;
  const behind = plate > 0 ? null : BEHIND.exec(cell);
  if (behind) return behind[1]!.length;
  const comma = Math.max(...[',', ';', '|', ' - ', ' – '].map((mark) => cell.lastIndexOf(mark, plate)));
  if (plate === 0 || comma <= 0) return cell.length;
  // "Leeds – Hull YN21 ABC": its only dash is between the two ends.
  const isBetween = endsOf(cell.slice(0, comma)) === null && endsOf(cell.slice(0, plate).trim()) !== null;
  return isBetween ? plate - 1 : comma;
}

/** The vehicle at the beginning of a line of its own: "SN16 OJY (57 seats)", "Coach 3". */
export function vehicleAlone(cell: string): string | null {
  const [said = ''] = cell.split(/ ?[([]/);
  return plateIn(said) === said || isVehicle(said) ? said : null;
}

/** Whether a text contains a registration. */
export const hasPlate = (cell: string): boolean => plateOf(cell) !== null;
export const plateIn = (cell: string): string | null => plateOf(cell)?.[0] ?? null;

const DEADLINE =
  /\b(check[ -]?in(?: closes| opens)?|bag drop|gate closes|flight|ferry|sailing|train|kick[ -]?off|curtain(?: up)?|(?:arrive|arr|be there|there) (?:by|for)|due(?: by| at)?|(?<!\b(?:back|home|return(?:ed)?|pay in|paid|confirm|book|reply|ring|call) )by|in for|for)\b\b.{0,20}?(?<![\w£:.])(\d{1,2}(?:[:.]\d{2}|\d{2})?\s*(?:am|pm|hrs?)?)(?![\d:./-])/i;

/** "Check-in 04:10", "must be there by 9.30am": the purpose and the time. */
export function deadlineIn(cell: string): { what: string | null; local: string } | null {
  const found = DEADLINE.exec(cell);
  const time = found && timeIn(found[2]!);
  if (!time || time.local >= '28:00' || /\bland(?:s|ing|ed)?\b/i.test(found[0])) return null;
  const what = found[1]!.replace(/^(?:by|for|in for|due.*|.*\b(?:arr|arrive|there) (?:by|for))$/i, '').trim();
  return { what: what ? what[0]!.toUpperCase() + what.slice(1).toLowerCase() : null, local: time.local };
}

/** "Royal Hotel - as directed" names the start, but not the end. */
const isSaid = (end: string): boolean =>
  isGiven(end) &&
  !/^(?:as (?:directed|required|instructed)|to be (?:advised|confirmed|notified))$/i.test(end);

/** Separators between two ends, the clearest first: "Leeds to Heathrow - Terminal 5". */
const BETWEEN = [/ ?(?:→|⇒|->|=>|>) ?/, / to /i, / ?[–—] ?| - | \/ /];

/** Words before a trip that do not belong to its first place: "Collect guests", "Second trip from". */
const BEFORE_TRIP =
  /^(?:(?:collect(?:ing)?|pick(?:ing)? ?up|p\/u|take|taking|transfer|depart(?:ing|s)?|leav(?:e|es|ing)|dep)(?: (?:guests|pax|passengers|group|party|pupils|children))?(?: (?:from|at))?|ex(?= \S+ (?:to|[-–>→]) )|(?:[\w'’]+ ){0,3}from) (?=.)/i;

/** The two ends of "Leeds Stn → Heathrow T5"; null when there are not two. */
export function endsOf(cell: string): [string, string] | null {
  const trip = cell
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^\d{1,2}[.)] /, '')
    // "Ex Servicemens Club Leeds" is a place.
    .replace(/^ex (?=\p{Lu})/u, '')
    .replace(BEFORE_TRIP, '');
  const [from, to, ...more] = trip.split(BETWEEN.find((mark) => mark.test(trip)) ?? trip);
  const isPlace = (end: string | undefined) => end !== undefined && /\p{L}/u.test(end) && isSaid(end);
  return more.length === 0 && isPlace(from) && isPlace(to) ? [from!, to!] : null;
}

/** "Hull via York", "Hull (via York)": the place, and the places on the way to it. */
export function viaIn(place: string): [place: string, via: string[]] {
  const [, bare = place, via = ''] = /^(\S.*?),? \(?via (.+?)\)?$/i.exec(place) ?? [];
  return [bare, via === '' ? [] : via.split(/, | and | & /)];
}

/** The two ends of a cell that may hold a whole trip with other data: "Leeds to York (YN21 ABC) 38 pax". */
export const tripEnds = (cell: string): [string, string] | null => endsOf(placeOnly(cell, true).place);

const PERSON = String.raw`\p{Lu}\p{L}+(?: \p{Lu}\b\.?)?`;
const PERSONS = `${PERSON}(?: ?(?:and|&|/|\\+) ?${PERSON})?`;
const BEHIND_ALL = new RegExp(String.raw`^(.+?[\p{L}\d.]) (${PERSONS})$`, 'u');
const BEFORE_ALL = new RegExp(String.raw`^(${PERSONS}) (\p{Lu}.+)$`, 'u');

/** "St Mary", "Prince Henry", "Fort William": a place that is called like a person. */
const BEFORE_A_NAME =
  /\b(?:st|sts|ss|saints?|our|the|prince|princess|king|queen|lady|lord|sir|dame|duke|earl|father|bishop|archbishop|cardinal|dean|canon|mr|mrs|ms|miss|dr|port|fort|mount|lake|hotel|market|trinity)\.?$/i;

/** "Leeds to Hull Kev" or "Kev Leeds to Hull" in nearly all cells: the trip and the names of each, and null for the
 *  others. Null when most cells are trips alone. */
export function namesBeside(cells: readonly string[]): ({ trip: string; names: string } | null)[] | null {
  const isNames = (names: string) =>
    names.split(/ ?(?:and|&|\/|\+) ?/).every((one) => isFirstName(one.split(' ')[0]!));
  const found = cells.map((cell) => {
    const [, trip = '', names = ''] = BEHIND_ALL.exec(cell) ?? [];
    const [, end = ''] = endsOf(trip) ?? [];
    if (isNames(names) && end !== '' && !BEFORE_A_NAME.test(end) && !isFirstName(end)) return { trip, names };
    const [, lead = '', way = ''] = BEFORE_ALL.exec(cell) ?? [];
    // "Victoria Coach Station" is a place.
    return isNames(lead) && endsOf(way) && !PLACE.test(way.split(/ to | - /)[0]!)
      ? { trip: way, names: lead }
      : null;
  });
  const many = found.filter((one) => one !== null).length;
  return many > 1 && many >= cells.length * 0.8 ? found : null;
}

/** The share of cells with which a test agrees, from 0 to 1. */
export const share = (cells: readonly string[], test: (cell: string) => boolean): number =>
  cells.length === 0 ? 0 : cells.filter(test).length / cells.length;

/** Whether a column is of times. Bare numbers are times only if nearly all have four digits. */
export const isOfTimes = (cells: readonly string[]): boolean =>
  share(cells, (cell) => timeIn(cell) !== null) >= 0.6 &&
  (share(cells, (cell) => /^\d{1,4}$/.test(cell)) < 0.9 ||
    share(cells, (cell) => /^[012]\d[0-5]\d$/.test(cell)) >= 0.9);

/** "06:10 Leeds to York", "1) 6.10am Leeds": a line that begins with a time. */
export const LEADING =
  /^(?:[-*•·] ?|\d{1,3}[).] )?(\d{1,2}[:.;h]\d{2} ?(?:[ap]m|hrs?)?|\d{4}(?: ?hrs|h)?|\d{1,2} ?[ap]m)[ ,;:–-]+(?=\p{L})(?![ap]\.?m\b|hrs?\b)(.+)$/iu;
