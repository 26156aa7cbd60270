/** The dates of a repeating calendar entry, within a limited time: a file can hold any rule. */
import { createContext, Script } from 'node:vm';
import ICAL from 'ical.js';

/** Dates, days, months and years examined for one rule, with or without a result. To reach the present, a daily rule
 *  since 1990 needs 26,000, a weekly one since 1970 23,000. */
const TRIES_MAX = 30_000;

/** For one entry with all its dates. Every rule that we know reaches TRIES_MAX in a fifth of this. */
const TIME_MAX_MS = 10_000;

/** The library searches until it finds a next date, and some rules have none. All its long loops call one of these
 *  methods. */
class BoundedIterator extends ICAL.RecurIterator {
  // No initial value: the parent constructor already counts.
  declare private tries: number | undefined;

  private countTries(more: number): void {
    this.tries = (this.tries ?? 0) + more;
    if (this.tries > TRIES_MAX) {
      throw new Error(`its rule ${inQuotes(this.rule)} is too long or has no dates: ${TRIES_MAX} were tried`);
    }
  }

  override check_contracting_rules(): boolean {
    this.countTries(1);
    return super.check_contracting_rules();
  }

  override increment_monthday(days: number): void {
    this.countTries(days);
    super.increment_monthday(days);
  }

  override increment_month(): void {
    this.countTries(1);
    super.increment_month();
  }

  override expand_year_days(year: number): number {
    this.countTries(1);
    return super.expand_year_days(year);
  }
}

/** Its dates in order, by `next()`. This and `next` throw when a rule takes too many tries. */
export function iteratorOf(event: ICAL.Event): ICAL.RecurExpansion {
  for (const property of event.component.getAllProperties('rrule')) {
    const rule = property.getFirstValue() as ICAL.Recur;
    // With unsorted months the library's search for a week of a month never ends.
    rule.parts['BYMONTH']?.sort((a, b) => Number(a) - Number(b));
    rule.iterator = (dtstart) => new BoundedIterator({ rule, dtstart });
  }
  return event.iterator();
}

/** Stops even an endless loop, by throwing. */
export function withinTime<T>(work: () => T): T {
  let done: { value: T } | undefined;
  LIMITED.work = () => {
    done = { value: work() };
  };
  try {
    WORK.runInContext(LIMITED, { timeout: TIME_MAX_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`its dates took longer than ${TIME_MAX_MS / 1000} s to work out`, { cause: error });
  }
  return done!.value; // it ended without throwing
}

const WORK = new Script('work()');
const LIMITED = createContext({}) as { work?: () => void };

const inQuotes = (rule: ICAL.Recur) => JSON.stringify(rule.toString().slice(0, 80));
