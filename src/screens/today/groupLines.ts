/** Lines of a day sheet that count for the rows below them: a day, a half of the day, a vehicle, a driver. */
import { headingsOf, type Meaning } from './headingWords.ts';
import {
  endsOf,
  hasPlate,
  isFirstName,
  isVehicle,
  LEADING,
  MAKES,
  plateIn,
  timeIn,
  vehicleAlone,
} from './sheetCells.ts';
import { type SheetRow } from './sheetText.ts';

export interface JobRow extends SheetRow {
  group: GroupLine;
  /** Columns whose values come from merged cells above. */
  led?: readonly number[];
  /** "0900 & 1600": the cell whose second time is this row's. */
  pair?: string;
}

/** Words above a group that count for all its rows: "SATURDAY 28TH NOVEMBER", "Driver: K. Nowak"; '' when there are
 *  none. */
export interface GroupLine {
  day: string | null;
  vehicle: string;
  driver: string;
  people?: string;
  ref?: string;
  /** "MORNING", "EVENING" */
  half?: 'am' | 'pm' | 'evening';
}

export const NOBODY: GroupLine = { day: null, vehicle: '', driver: '' };

/** A half of the day as a line of its own; the comma, or the "all" of a greeting, is left out. */
const HALF_ALONE =
  /^[-=*~( ]*(?:(mornings?|a\.?m\.?)|(afternoons?|p\.?m\.?)|(evenings?))(?: (?:work|jobs|runs|trips|shift|contracts|schools?))?[-=*~): ]*$/i;

/** The half of the day that a line of its own gives the rows below it. */
export function halfOf(alone: string): Pick<GroupLine, 'half'> {
  const [, am, pm, evening] = HALF_ALONE.exec(alone) ?? [];
  return am ? { half: 'am' } : pm ? { half: 'pm' } : evening ? { half: 'evening' } : {};
}

/** The vehicle and driver that a line without a time gives the rows below it. */
export function aboutOf(
  said: readonly string[],
  headings: readonly string[] | null,
): ReturnType<typeof labelsOf> {
  if (said.some((cell) => timeIn(cell) || LEADING.test(cell))) return {};
  const has = (meaning: Meaning) => headings?.some((cell) => headingsOf(cell).includes(meaning)) ?? false;
  const hasColumn = has('vehicle');
  const [alone = '', beside = ''] = said;
  const isGroup = said.length < 3 && !hasColumn && (headings !== null || endsOf(beside) === null);
  const vehicle = isGroup ? vehicleAlone(alone) : null;
  const { driver: named } = vehicle === null ? {} : pairOf(alone);
  if (vehicle !== null)
    return { vehicle, ...(named === undefined || has('driver') ? {} : { driver: named }) };
  const both = said.length === 1 ? pairOf(alone) : {};
  const labels = both.vehicle !== undefined && both.driver !== undefined ? {} : labelsOf(said);
  // "Coach FJ23 AWX", "Driver Barbara Knowles", "34 passengers" in cells of their own.
  const apart = said.length > 1 && said.length < 5 ? pairOf(said.join(' - ')) : {};
  if (apart.vehicle !== undefined && apart.driver !== undefined && !hasColumn && !has('driver')) return apart;
  if (Object.keys(labels).length > 0 || said.length > 1) return labels;
  const { vehicle: coach, driver, people, ref } = pairOf(alone);
  return {
    ...(ref !== undefined && !has('ref') ? { ref } : {}),
    ...(people !== undefined && !has('people') ? { people } : {}),
    ...(coach !== undefined && !hasColumn ? { vehicle: coach } : {}),
    ...(driver !== undefined && !has('driver') ? { driver } : {}),
  };
}

/** "Coach 12 - Hussain", "Coach 1 - Kev - YN17 OPA", "Driver Hussain (YN21 ABC)", "** IRIZAR (Keith) **" */
export function pairOf(alone: string): Partial<Pick<GroupLine, 'vehicle' | 'driver' | 'people' | 'ref'>> {
  const bare = alone
    .replaceAll(SIGN_ON, '')
    .replace(/ ?\(?(?:\+44 ?|\b0)\d(?:\d| (?=\d)){7,11}\d\)?/, '')
    .replaceAll(/^[*=_#~ -]{1,9}|[*=_#~: -]{1,9}$/g, '')
    .replace(/^((?:coach|bus) \d{1,3}): /i, '$1 - ');
  // "DAF 7 - SN65 OHD - DRIVER: Jim Rennie", "TOUR 26 - driver Bernard, coach FX72 DLG, 42 pax"
  const [, named] =
    /\bdriver:? ?((?:\p{Lu}\.? ?)?\p{Lu}[\p{L}'’-]+(?: (?!\w+:)\p{Lu}[\p{L}'’-]*)?)/iu.exec(bare) ?? [];
  const plated = plateIn(bare);
  const [, people] =
    /\b(\d{1,3})(?= ?(?:pax|passengers|people)\b)/i.exec(bare) ??
    /\b(?:group|party|pax|passengers): ?(\d{1,3})\b/i.exec(bare) ??
    [];
  const [, ref] = /\b(?:tour|job|hire|booking|ref)(?: no)?[ .:]{1,2}([A-Z]{0,4}\d[\w/-]*)/i.exec(bare) ?? [];
  if (named !== undefined && plated !== null)
    return {
      vehicle: plated,
      driver: named,
      ...(people === undefined ? {} : { people }),
      ...(ref === undefined ? {} : { ref }),
    };
  const all = bare
    .split(/ - | ?[–,/()[\]]+ ?/)
    .filter(Boolean)
    .map((part) => part.replace(/^(?:driver|vehicle|coach:?) (?=\p{L})/iu, ''));
  // "COACH 14 - 53 SEATS - DRIVER: STU"
  const sized = all.filter((part) => !/^\d{1,2}[ -]?(?:seat(?:s|er)?|str)s?$/i.test(part));
  const [one = '', two = '', ...more] =
    sized.length > 1 && sized.length < all.length
      ? sized.map((part) => part.replace(/^driver: ?/i, ''))
      : all;
  const isDriver = (part: string, other: string) =>
    isFirstName(part) ||
    (isCoach(other) && INITIALS.test(part)) ||
    (vehicleAlone(other) !== null && NAME.test(part) && !WORK.test(part));
  const parts = [one, two, ...more];
  // "COACH 1 - KEV - YN17 OPA": a registration says more than a number.
  const plate = parts.find(hasPlate);
  const isSize = (part: string) => /^\d{1,2}(?: ?(?:seats?|seater|str))?$/i.test(part);
  const work = parts.find((part) => /^(?:diagram|duty|board|line|working|run) \S{1,6}$/i.test(part));
  const others = parts.filter((part) => part !== plate && part !== work && !isVehicle(part) && !isSize(part));
  if (plate !== undefined && more.length === 1 && others.length === 1 && isDriver(others[0]!, plate))
    return { vehicle: plate, driver: others[0]!, ...(work === undefined ? {} : { ref: work }) };
  if (more.length === 0 && isVehicle(one) && two === plate) return { vehicle: bare };
  if (more.length > 0 || two === '') return isFirstName(bare) ? { driver: bare } : {};
  if (isDriver(two, one)) return { vehicle: one, driver: two };
  return isDriver(one, two) ? { vehicle: two, driver: one } : {};
}

/** "s/on 0530", "report 06:00": when a driver's duty begins or ends. */
export const SIGN_ON =
  /\b(?:(?:s|sign(?:ed)?|book|clock)[ /-](?:on|off)|report(?:s|ing)?)(?: at)?:? ?\d{1,2}[:.]?\d{2}(?: ?hrs)?/gi;

const isCoach = (part: string): boolean => NUMBER_OF.test(part) || MAKES.test(part);

/** "Keith", "KEITH MARLOW", "J. van-Dyk Jones": a name by its form alone; places have it as well. */
export const NAME = /^\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}$/u;

export const WORK = /\b(?:work|runs?|schools?|airports?|contracts?|hires?|depot|tours?|services?)\b/i;

/** "Driver: K. Nowak", or "Driver" and "K. Nowak" beside it; empty when any cell has no label. */
function labelsOf(cells: readonly string[]): ReturnType<typeof pairOf> {
  // "Driver: P. Sowerby Date: Fri 27 Nov"
  const said = cells.flatMap((cell) => (/^\p{L}+:/u.test(cell) ? cell.split(/ (?=\p{L}+:)/u) : cell));
  const labels: ReturnType<typeof pairOf> = {};
  for (let at = 0; at < said.length; at++) {
    const [label = '', beside = ''] = said[at]!.split(/:(.*)/);
    const [meaning] = headingsOf(label);
    if (meaning !== 'vehicle' && meaning !== 'driver') {
      // "Dep 06:10" is no label.
      if (beside === '' || /\d/.test(label)) return {};
      continue;
    }
    const value = beside.trim() || (said[++at] ?? '');
    if (value === '') return {};
    // "Vehicle: 33 seat Mellor, driver Graham. Ribbons on."
    const [vehicle = '', driver = ''] = meaning === 'vehicle' ? value.split(/, ?driver:? /i) : [];
    labels[meaning] = vehicle || value;
    if (driver) labels.driver = driver.split('. ')[0]!;
  }
  return labels;
}

export const NUMBER_OF =
  /^(?:\d{1,3}(?: ?(?:pax|px|passengers|people|pupils|seats?|seater|str))?|.*\b(?:seater|seats))$/i;

export const INITIALS = /^(?:[A-Z]{2,3}|(?:[A-Z]\.? )+\p{Lu}\p{L}+)$/u;
