import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye';
import { type CSSProperties, memo, useEffect, useMemo } from 'react';
import type { Alert } from '../api/disruptions.ts';
import type { FeedEntry, Summary } from '../api/feeds.ts';
import { dateOf, gradeOf, isCritical, shownOf, sinceText } from '../feeds/alerts.ts';
import { AllAlerts } from '../feeds/AllAlerts.tsx';
import type { feedCounts } from '../feeds/counts.ts';
import { SummaryText } from '../feeds/SummaryText.tsx';
import { countsText } from '../feeds/counts.ts';
import { figures, isBuiltIn } from '../feeds/summarySentences.ts';
import { begunAt, briefTime, endOrStartWords, shortTime, sinceWords } from '../feeds/times.ts';
import { sayingForms } from '../feeds/shortTitles.ts';
import { orderOf, trendText } from '../feeds/worst.ts';
import { useClock } from '../time/clock.ts';
import { formatDay } from '../time/london.ts';
import { GRADE_WORDS, Severity } from '../ui/Severity.tsx';
import { fits, textWidth, useFacesLoaded } from './fit.ts';
import { LEAD_GAP, LIVE_TEXT, QUEUE_GAP, SUMMARY_GAP } from './measures.ts';
import { heldPages, PART, type SummaryPage, summaryPages } from './summaryPages.ts';
import { useSeen } from './seen.ts';
import { shownTitle } from './shownTitle.ts';
import { TrendArrow } from './TrendArrow.tsx';
import { BAND_MS, NO_TURNS, takeTurns, turnsPerStep, useTurns } from './turns.ts';
import styles from './WallLive.module.css';
import { slotsOf, type SlotText, WallSlot } from './WallSlot.tsx';

/** Pages of a summary and silent sources stay for so many turns of their row: 14 seconds. */
const TURNS_PER_PAGE = 2;

/** Of a mark at the right of the summary: its symbol and the gaps around it, in units. */
const MARK_FRAME = 2 * SUMMARY_GAP + 12;

/** The live part of a row: the lead with its time, the summary, and the queue with the slot. One line each. */
export const WallLive = memo(function WallLive({
  feed,
  feedTitle,
  events,
  summary,
  counts,
  place,
  running,
  stale,
  boardStale,
  faint,
  low,
}: {
  feed: FeedEntry;
  feedTitle: string;
  /** At least one. */
  events: readonly Alert[];
  summary: Summary | null | undefined;
  counts: ReturnType<typeof feedCounts>;
  /** The feed's place on the board, from 0. */
  place: number;
  /** Whether it is on screen, and current. */
  running: boolean;
  stale: boolean;
  boardStale: boolean;
  /** The data is too old to plan from. */
  faint: boolean;
  /** It has room for one line. */
  low: boolean;
}) {
  const loaded = useFacesLoaded();
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
  // `loaded`: measured again when the fonts have loaded; `minute`: the words of times change.
  const slots = useMemo(() => slotsWhen(minute, { feed, planned, loaded }), [feed, planned, loaded, minute]);
  const full = slots[page % Math.max(1, slots.length)];
  const time = useClock((now) => (next ? briefTime(next, now) : ''));
  const besideSlot = (slot: SlotText | undefined) =>
    LIVE_TEXT - (slot ? slot.width + QUEUE_GAP : 0) - (time ? textWidth(time, 'queue') + QUEUE_GAP : 0);
  const slot =
    full && slotBeside(full, next ? sayingForms(next) : [], besideSlot, queue.length > 1 || page % 2 === 1);

  return (
    <section
      className={styles.live}
      aria-label={`Live feed, ${feedTitle}`}
      style={{ '--place': step, '--alerts': Math.max(1, queue.length) } as CSSProperties}
      data-faint={faint || undefined}
      data-low={low || undefined}
      data-still={queue.length < 2 || undefined}
    >
      {lead ? (
        <>
          <Lead alert={lead} />
          <SummaryLine
            summary={summary}
            counts={counts}
            lead={lead}
            page={severalLeads ? Math.floor(leadTurn / leads.length) : page}
            stale={stale}
            boardStale={boardStale}
          />
        </>
      ) : (
        <p className={styles.elsewhere}>
          {queue.length > 0 ? 'No active alerts of its own' : 'No active alerts'}
        </p>
      )}
      <div className={styles.queue} aria-hidden="true">
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

/** As full as it can be while the alert beside it says what happens. Where both have no room the planned works make it,
 *  if `yields`; silent sources never do. */
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
  const times = useClock((now) => timesOf(alert, now).join('\n')).split('\n');
  const grade = gradeOf(alert);
  const beside = (time: string) => LIVE_TEXT - (time ? textWidth(time, 'time') + LEAD_GAP : 0);
  const forms = sayingForms(alert);
  // What happens comes before since when.
  const isSaid = (time: string) => forms.some((form) => fits(form, beside(time), 'lead'));
  const time = [...times, ''].find(isSaid) ?? times[0]!;

  return (
    <>
      <span className={styles.symbol}>
        <Severity grade={grade} wordless />
      </span>
      <div className={styles.lead}>
        <h3 className={styles.title}>{shownTitle(alert, beside(time), 'lead')}</h3>
        {time && <span className={styles.time}>{time}</span>}
      </div>
    </>
  );
}

/** Its time, the fullest form first: "since 23:13 yesterday", "23:13 yesterday", "22 Nov". An end has one form. */
function timesOf(alert: Alert, now: Date): string[] {
  const words = endOrStartWords(alert, now);
  const start = begunAt(alert, now);
  if (!start || words !== sinceWords(alert, now)) return [words];
  return [words, shortTime(start, now), formatDay(start, now)];
}

function SummaryLine({
  summary,
  counts,
  lead,
  page,
  stale,
  boardStale,
}: {
  summary: Summary | null | undefined;
  counts: ReturnType<typeof feedCounts>;
  lead: Alert;
  page: number;
  stale: boolean;
  boardStale: boolean;
}) {
  const loaded = useFacesLoaded();
  const trend = useClock((now) => (stale ? '' : trendText(lead, now)));
  const made = dateOf(summary?.generated_at);
  const madeAt = useClock((now) => made && sinceText(made, now));
  const key = summary ? keyOf(summary, madeAt, boardStale) : '';
  const seen = useSeen((known) => known[lead.event_id] ?? '');
  const marks = [trend, seen].filter(Boolean);
  const mark = Math.max(0, ...marks.map((text) => textWidth(text, 'summary') + MARK_FRAME));
  // Where there are both they alternate, with the band.
  const turn = useClock((now) => (trend && seen ? Math.floor(now.getTime() / BAND_MS) % 2 : 0));
  const pages = useMemo(
    () => pagesOf(summary, { lead, mark, key, loaded }),
    [summary, lead, mark, key, loaded],
  );
  // A critical alert holds the first pages: whom it affects, and what to do.
  const shown = page % (isCritical(lead) ? heldPages(pages) : pages.length + 1);
  const source = useMemo(() => sourceLine(summary, counts, LIVE_TEXT - mark), [summary, counts, mark]);

  return (
    <>
      <p className={styles.word}>{GRADE_WORDS[gradeOf(lead)]}</p>
      <p className={styles.summary}>
        {!summary ? (
          <span className={styles.key}>No summary yet</span>
        ) : pages[shown] ? (
          <>
            {pages[shown].isOfSummary && <span className={styles.key}>{key}</span>}
            <span className={styles.text}>
              <Parts sentences={pages[shown].sentences} />
            </span>
          </>
        ) : (
          <span className={styles.key}>{source}</span>
        )}
        {marks[turn] && (pages[shown]?.withMark ?? true) && (
          <span className={styles.mark}>
            {marks[turn] === trend ? <TrendArrow alert={lead} /> : <EyeIcon weight="fill" aria-hidden />}{' '}
            {marks[turn]}
          </span>
        )}
      </p>
    </>
  );
}

/** `loaded` is not read: it says that texts are measured again. */
interface Measured {
  loaded: boolean;
}

const slotsWhen = (
  minute: number,
  { feed, planned }: { feed: FeedEntry; planned: readonly Alert[] } & Measured,
) => slotsOf(feed, planned, new Date(minute * 60_000));

const pagesOf = (
  summary: Summary | null | undefined,
  { lead, mark, key }: { lead: Alert; mark: number; key: string } & Measured,
): SummaryPage[] =>
  summaryPages(summary, { lead, mark, width: LIVE_TEXT - textWidth(key, 'summary') - SUMMARY_GAP });

/** "Summary 06:13"; "AI Summary, gpt-4o-mini, 06:12" where a model wrote it. */
function keyOf(summary: Summary, madeAt: string | null, boardStale: boolean): string {
  const name = isBuiltIn(summary)
    ? 'Summary'
    : ['AI Summary', summary.model, '']
        .filter((part) => part != null)
        .join(', ')
        .trim();
  const refreshing = summary.stale && !boardStale ? ', refreshing' : '';
  return `${[name, madeAt].filter(Boolean).join(' ')}${refreshing}`;
}

/** "clearway-extract-1 · 17 events analysed (13 active, 4 planned) · 0 completion tokens", without its end where it
 *  does not fit. */
function sourceLine(
  summary: Summary | null | undefined,
  counts: ReturnType<typeof feedCounts>,
  width: number,
): string {
  const all = (summary ? figures(summary) : []).map((figure) =>
    figure.endsWith('analysed') ? `${figure} (${countsText(counts)})` : figure,
  );
  const lines = all.map((_, left) => all.slice(0, all.length - left).join(' · '));
  return lines.find((line) => fits(line, width, 'summary')) ?? '';
}

/** The names of the parts are set in bold. */
function Parts({ sentences }: { sentences: SummaryPage['sentences'] }) {
  return sentences.map((sentence, index) => {
    const part = PART.exec(sentence.text);
    const rest = part ? sentence.text.slice(part[0].length) : sentence.text;
    return (
      <span key={`${index} ${sentence.text}`}>
        {index > 0 && ' '}
        {part && <b>{part[1]} </b>}
        <SummaryText sentences={[{ ...sentence, text: rest }]} endedClass={styles.ended} />
      </span>
    );
  });
}

/** The alert whose turn it is in the queue. */
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
    <span className={styles.waiting} data-moved={moved || undefined}>
      <Severity grade={gradeOf(alert)} />
      <span>{shownTitle(alert, room, 'queue')}</span>
      <i>{time}</i>
    </span>
  );
}
