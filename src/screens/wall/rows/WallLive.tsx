import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye';
import { type CSSProperties, memo, useEffect, useMemo } from 'react';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { FeedEntry, Summary } from '../../../api/alerts/feeds.ts';
import { isOwn, knownSource } from '#contract/feeds/knownSources.ts';
import { alertTime, gradeOf, isCritical, shownOf } from '../../../feeds/alerts/alerts.ts';
import { AllAlerts } from '../../../feeds/rows/NewCriticals.tsx';
import { useBoardNews } from '../../../feeds/refresh/boardNews.ts';
import { briefTime } from '../../../feeds/alerts/alertTimes.ts';
import { orderOf, trendText } from '../../../feeds/alerts/leadAlerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import { fits, textWidth } from '../words/textFit.ts';
import { litText } from './litRows.ts';
import { LEAD_GAP, liveText, QUEUE_GAP, type Sheet, SUMMARY_GAP, useSheet } from '../words/wallMeasures.ts';
import { heldPages, PART, type SummaryPage, summaryPages } from './summaryPages.ts';
import { useSeen } from '../words/seenByTeam.ts';
import { timeOnWall, wallClock } from '../words/shownTime.ts';
import { sayingOnWall, shownTitle } from '../words/shownTitle.ts';
import { TrendArrow } from '../band/WallWorst.tsx';
import { BAND_MS, NO_TURNS, takeTurns, turnsPerStep, useTurns } from '../band/rowTurns.ts';
import styles from './WallLive.module.css';
import { slotsOf, type SlotText, WallSlot } from './WallSlot.tsx';

/** For how many turns of their row pages of a summary and silent sources stay: 14 seconds. */
const TURNS_PER_PAGE = 2;

/** The room of a mark at the right of the summary: its symbol and the gaps around it, in units. */
const MARK_FRAME = 2 * SUMMARY_GAP + 12;

/** The live part of a row, one line each: the lead with its time, the facts about it, and the queue with the slot. */
export const WallLive = memo(function WallLive({
  feed,
  feedTitle,
  events,
  summary,
  place,
  lit,
  running,
  stale,
  faint,
  low,
}: {
  feed: FeedEntry;
  feedTitle: string;
  /** At least one. */
  events: readonly Alert[];
  summary: Summary | null | undefined;
  /** The feed's place on the board, from 0. */
  place: number;
  /** The `event_id` of the lead that lights the row; null when it is not lit. */
  lit: string | null;
  /** True: the row is on screen, and current. */
  running: boolean;
  stale: boolean;
  /** True: the data is too old to plan from. */
  faint: boolean;
  /** True: the row has room for only one line. */
  low: boolean;
}) {
  const width = liveText(useSheet());
  const alerts = useMemo(() => shownOf(events), [events]);
  const { leads, queue, planned } = useMemo(() => orderOf(events), [events]);
  const severalLeads = leads.length > 1;
  const taken = useTurns((turns) => turns[place] ?? NO_TURNS);
  useEffect(() => (running ? takeTurns(place, { severalLeads }) : undefined), [running, place, severalLeads]);

  const { queue: turn, lead: leadTurn } = running ? taken : NO_TURNS;
  const page = Math.floor(turn / TURNS_PER_PAGE);
  const lead = leads[leadTurn % Math.max(1, leads.length)];
  const step = Math.floor(turn / turnsPerStep(queue.length)) % Math.max(1, queue.length);
  const next = queue[step];
  const minute = useClock((now) => Math.floor(now.getTime() / 60_000));
  const slots = useMemo(() => slotsOf(feed, planned, new Date(minute * 60_000)), [feed, planned, minute]);
  const full = slots[page % Math.max(1, slots.length)];
  const time = useClock((now) => (next ? briefTime(next, now) : ''));
  const besideSlot = (slot: SlotText | undefined) =>
    width - (slot ? slot.width + QUEUE_GAP : 0) - (time ? textWidth(time, 'queue') + QUEUE_GAP : 0);
  const slot =
    full && slotBeside(full, next ? sayingOnWall(next) : [], besideSlot, queue.length > 1 || page % 2 === 1);

  return (
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={{ '--place': step, '--alerts': Math.max(1, queue.length) } as CSSProperties}
      data-faint={faint || undefined}
      data-low={low || undefined}
      data-lit={lit !== null || undefined}
      data-still={queue.length < 2 || undefined}
    >
      {lead ? (
        <>
          <Lead alert={lead} />
          <SummaryLine
            summary={summary}
            lead={lead}
            isLit={lead.event_id === lit}
            page={severalLeads ? Math.floor(leadTurn / leads.length) : page}
            stale={stale}
          />
        </>
      ) : (
        <p className={styles.elsewhere} data-tone="2">
          {queue.length > 0 ? 'No active alerts of its own' : 'No active alerts'}
        </p>
      )}
      <div className={styles.queue} data-across data-justify="between" data-line aria-hidden="true">
        {next ? (
          <Waiting key={next.event_id} alert={next} time={time} room={besideSlot(slot)} moved={turn > 0} />
        ) : (
          <span />
        )}
        {slot && <WallSlot slot={slot} />}
      </div>
      <AllAlerts alerts={alerts} />
    </section>
  );
});

/** The slot in the fullest form that lets the alert beside it still say what happens. If there is no room for both,
 *  planned works give way if `yields`; silent sources never do. */
function slotBeside(
  full: SlotText,
  forms: readonly string[],
  besideSlot: (slot: SlotText) => number,
  yields: boolean,
): SlotText | undefined {
  const isSaid = (slot: SlotText) => forms.some((form) => fits(form, besideSlot(slot), 'queue'));
  if (forms.length === 0 || isSaid(full) || !full.within) return full;
  const needed = 1.01 * Math.min(...forms.map((form) => textWidth(form, 'queue')));
  const short = full.within(full.width + besideSlot(full) - needed);
  return isSaid(short) || !yields ? short : undefined;
}

function Lead({ alert }: { alert: Alert }) {
  const time = useClock((now) => timeOnWall(alert, now));
  const sheet = useSheet();
  // In large type upright the time has a line of its own.
  const taken = time && sheet !== 'tall' ? textWidth(time, 'time') + LEAD_GAP : 0;

  return (
    <>
      <span className={styles.symbol}>
        <Severity grade={gradeOf(alert)} wordless />
      </span>
      <div className={styles.lead} data-line data-align="baseline">
        <h3 className={styles.title} data-nowrap>
          {shownTitle(alert, liveText(sheet) - taken, 'lead')}
        </h3>
        {time && (
          <span className={styles.time} data-push>
            {time}
          </span>
        )}
      </div>
    </>
  );
}

function SummaryLine({
  summary,
  lead,
  isLit,
  page,
  stale,
}: {
  summary: Summary | null | undefined;
  lead: Alert;
  isLit: boolean;
  page: number;
  stale: boolean;
}) {
  const trend = useClock((now) => (stale ? '' : trendText(lead, now)));
  const seen = useSeen((known) => (stale ? '' : (known[lead.event_id] ?? '')));
  const news = useBoardNews();
  const lit = useClock((now) => (isLit ? litText(lead, news, now) : ''));
  const full = (lit ? [lit] : [trend, seen]).filter(Boolean).join('\n');
  const sheet = useSheet();
  const { pages, marks } = useMemo(
    () => fitted(summary, { lead, marks: full ? full.split('\n') : [], sheet }),
    [summary, lead, full, sheet],
  );
  // If there are both marks, they alternate together with the band.
  const turn = useClock((now) => (marks.length > 1 ? Math.floor(now.getTime() / BAND_MS) % 2 : 0));
  // For a critical alert the first pages stay: whom it affects, and what to do.
  const shown = pages[page % (isCritical(lead) ? heldPages(pages) : Math.max(1, pages.length))];
  const publisher = useClock((now) => publisherOf(lead, now));

  return (
    <>
      <p className={styles.word}>{GRADE_WORDS[gradeOf(lead)]}</p>
      <p className={styles.summary} data-line data-align="baseline">
        {shown ? (
          <span className={styles.text}>
            <Parts sentences={shown} />
          </span>
        ) : (
          <span data-tone="2">{publisher}</span>
        )}
        {marks[turn] && (
          <span className={styles.mark} data-push data-lit={lit ? true : undefined}>
            {marks[turn].startsWith('Seen') ? (
              <EyeIcon weight="fill" aria-hidden />
            ) : (
              !marks[turn].startsWith('New') && <TrendArrow alert={lead} />
            )}{' '}
            {marks[turn]}
          </span>
        )}
      </p>
    </>
  );
}

/** "National Highways, 06:02" */
function publisherOf(alert: Alert, now: Date): string {
  const at = alertTime(alert);
  const name = isOwn(alert) ? 'Our team' : knownSource(alert.source ?? '').displayName;
  return [name, at && at <= now && wallClock(at, now)].filter(Boolean).join(', ');
}

/** The facts that fit beside the marks. The marks always stay; the name of the person who has seen the alert is left
 *  out before any fact. */
function fitted(
  summary: Summary | null | undefined,
  { lead, marks, sheet }: { lead: Alert; marks: readonly string[]; sheet: Sheet },
): { pages: SummaryPage[]; marks: readonly string[] } {
  const [full, short] = [marks, marks.map((text) => text.replace(/^Seen by .+, /, 'Seen '))].map((shown) => {
    // Marks are on the line of the time, if the time has one of its own.
    const beside = sheet === 'tall' ? [] : shown;
    const mark = Math.max(0, ...beside.map((text) => textWidth(text, 'summary') + MARK_FRAME));
    return { marks: shown, pages: summaryPages(summary, { lead, width: liveText(sheet) - mark }) };
  });
  return full!.pages.length > 0 || short!.pages.length === 0 ? full! : short!;
}

/** The sentences, with the names of the parts in bold. */
function Parts({ sentences }: { sentences: SummaryPage }) {
  return sentences.map((text, index) => {
    const part = PART.exec(text);
    return (
      <span key={`${index} ${text}`}>
        {index > 0 && ' '}
        {part && <b>{part[1]} </b>}
        {part ? text.slice(part[0].length) : text}
      </span>
    );
  });
}

/** The alert of the queue whose turn it is. */
function Waiting({
  alert,
  time,
  room,
  moved,
}: {
  alert: Alert;
  time: string;
  /** The width of its title, in units. */
  room: number;
  moved: boolean;
}) {
  return (
    <span className={styles.waiting} data-tone="2" data-moved={moved || undefined}>
      <Severity grade={gradeOf(alert)} />
      <span>{shownTitle(alert, room, 'queue')}</span>
      <i>{time}</i>
    </span>
  );
}
