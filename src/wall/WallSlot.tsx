import { knownSource } from '#contract/sources.ts';
import type { Alert } from '../api/disruptions.ts';
import type { FeedEntry } from '../api/feeds.ts';
import { dateOf } from '../feeds/alerts.ts';
import { notRecentText, silentSources } from '../feeds/sources.ts';
import { fromWords } from '../feeds/times.ts';
import { fits, fitting, textWidth } from './fit.ts';
import { LIVE_TEXT } from './measures.ts';
import { shortForms, shortPlaces } from './shortTitles.ts';
import styles from './WallSlot.module.css';

/** At the right of a row's last line: a source that is silent, or what is planned next. */
export interface SlotText {
  kind: 'silent' | 'planned';
  text: string;
  /** In units. */
  width: number;
  /** For where the alert beside it would lose what it says. */
  shorter?: SlotText;
}

/** The most that it takes of the line. */
const MOST = 0.58 * LIVE_TEXT;
/** As the style sheet has them: the dash or the badge, with the gap after it. */
const DASH = 30;
const BADGE_FRAME = 22 + 10;

/** Everything that the slot shows in turn: the silent sources; where there are none, the next planned works. */
export function slotsOf(feed: FeedEntry, planned: readonly Alert[], now: Date): SlotText[] {
  const silent = silentSources(feed).map(({ source, last_collected }): SlotText => {
    const said = (text: string): SlotText => ({
      kind: 'silent',
      text,
      width: DASH + textWidth(text, 'slot'),
    });
    return { ...said(silentText(source, last_collected, now)), shorter: said(silentText(source, null, now)) };
  });
  if (silent.length > 0) return silent;

  const badge = textWidth('Planned', 'slot') + BADGE_FRAME;
  return planned.slice(0, PLANNED_AT_MOST).map((alert): SlotText => {
    const from = fromWords(alert, now);
    const end = from ? `, ${from}` : '';
    const said = (forms: readonly string[]): SlotText => {
      const text = `${fitting(forms, MOST - badge - textWidth(end, 'slot'), 'slot')}${end}`;
      return { kind: 'planned', text, width: badge + textWidth(text, 'slot') };
    };
    const { place } = alert.facts ?? {};
    return { ...said(shortForms(alert)), ...(place && { shorter: said(shortPlaces(place)) }) };
  });
}

const PLANNED_AT_MOST = 4;

/** "Heathrow: no recent information since 05:06", without the time where the name is long. */
export function silentText(source: string, since: string | null | undefined, now: Date): string {
  const name = knownSource(source).displayName;
  const said = (at: Date | null) => `${name}: ${notRecentText(at, now).replace(/^N/, 'n')}`;
  const whole = said(dateOf(since));
  return fits(whole, MOST - DASH, 'slot') ? whole : said(null);
}

export function WallSlot({ slot: { kind, text } }: { slot: SlotText }) {
  return (
    <span className={styles.slot}>
      {kind === 'planned' ? <b>Planned</b> : <i aria-hidden="true" />}
      {text}
    </span>
  );
}
