import { shortNameOf } from '#contract/feeds/knownSources.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { FeedEntry } from '../../../api/alerts/feeds.ts';
import { dateOf, isAhead } from '../../../feeds/alerts/alerts.ts';
import { silentSources } from '../../../feeds/alerts/sourceStatus.ts';
import { fromWords, shortTime } from '../../../feeds/alerts/alertTimes.ts';
import { fitting, textWidth } from '../words/textFit.ts';
import { liveText } from '../words/wallMeasures.ts';
import { shortPlaces } from '../../../feeds/alerts/titles.ts';
import { shortForms } from '../words/shownTitle.ts';
import styles from './WallSlot.module.css';

/** At the right of a row's last line: a silent source, or the next planned works. */
export interface SlotText {
  kind: 'silent' | 'planned';
  text: string;
  /** In units. */
  width: number;
  /** The fullest form that fits into less room, in units, for when the alert beside it would lose its effect. */
  within?: (room: number) => SlotText;
}

/** The largest share of the line. */
const MOST = 0.58 * liveText('usual');
/** As in the style sheet: the dash or the badge, with the gap after it. */
const DASH = 30;
const BADGE_FRAME = 22 + 10;

/** The texts of the slot, in turn: the silent sources; if there are none, the next planned works. */
export function slotsOf(feed: FeedEntry, planned: readonly Alert[], now: Date): SlotText[] {
  const silent = silentSources(feed).map(({ source, last_collected }): SlotText => {
    const text = `${shortNameOf(source)}: silent ${silentSince(last_collected, now)[0]}`.trim();
    return { kind: 'silent', text, width: DASH + textWidth(text, 'slot') };
  });
  if (silent.length > 0) return silent;

  const badge = textWidth('Planned', 'slot') + BADGE_FRAME;
  return planned.slice(0, PLANNED_AT_MOST).map((alert): SlotText => {
    const from = fromWords(alert, now);
    const end = from ? `, ${from}` : '';
    const said = (forms: readonly string[], room: number): SlotText => {
      const text = `${fitting(forms, room - badge - textWidth(end, 'slot'), 'slot')}${end}`;
      return { kind: 'planned', text, width: badge + textWidth(text, 'slot') };
    };
    const { place } = alert.facts ?? {};
    const within = (room: number): SlotText => {
      const short = said(shortForms(alert), Math.min(room, MOST));
      return short.text === end ? said(place ? shortPlaces(place) : shortForms(alert), MOST) : short;
    };
    return { ...said(shortForms(alert), MOST), ...(end && { within }) };
  });
}

const PLANNED_AT_MOST = 4;

/** The fullest form first: "since 23:53 yesterday", "23:53 yesterday", "yesterday"; '' when it is not known. */
export function silentSince(last: string | null | undefined, now: Date): [fullest: string, ...string[]] {
  const at = dateOf(last);
  if (!at || isAhead(at, now)) return [''];
  const time = shortTime(at, now);
  const day = time.indexOf('yesterday');
  return [`since ${time}`, time, ...(day > 0 ? [time.slice(day)] : [])];
}

export function WallSlot({ slot: { kind, text } }: { slot: SlotText }) {
  return (
    <span className={styles.slot} data-tone="2" data-nowrap>
      {kind === 'planned' ? <b>Planned</b> : <i data-forced="ink" aria-hidden="true" />}
      {text}
    </span>
  );
}
