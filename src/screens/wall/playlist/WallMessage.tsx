import { knownFeed } from '#contract/feeds/feeds.ts';
import type { Alert } from '../../../api/alerts/disruptions.ts';
import type { Self } from '../../../api/displays/displaySelf.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { silentNames } from '../../../feeds/alerts/sourceStatus.ts';
import { useConnection } from '../../../feeds/refresh/connectionWords.ts';
import { type Board, useShown } from '../../../feeds/refresh/useBoard.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { counted } from '#contract/numbers.ts';
import { formatClock } from '../../../time/london.ts';
import { FlapClock } from '../../../ui/signs/Flap.tsx';
import { type Grade, GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import { FACES, fitting, namesWithin, textWidth } from '../words/textFit.ts';
import { alsoForms } from '../band/WallWorst.tsx';
import { wallForms } from '../words/shownTitle.ts';
import frame from '../WallBoard.module.css';
import { type Form, measureSheet, type Sheet, sheetOf, useForm } from '../words/wallMeasures.ts';
import styles from './WallMessage.module.css';

export type Message = NonNullable<Self['message']>;

/** The message in force, by the server's clock, also while there is no connection. */
export function useStanding(self: Self | null): Message | null {
  const all = self ? [self.message, ...(self.next_messages ?? [])] : [];
  const place = useClock((now) =>
    all.findIndex((message) => (dateOf(message?.until)?.getTime() ?? 0) > now.getTime()),
  );
  return all[place] ?? null;
}

const BAND_GAP = 12;

const lookOf = ({ look }: Message): Grade => look ?? 'medium';

function Head({ message: { from, at } }: { message: Message }) {
  const sent = dateOf(at);
  return (
    <>
      Message{from && ' from '}
      <bdi>{from}</bdi>
      {sent && `, ${formatClock(sent)}`}
    </>
  );
}

const LONG_MS = 30 * 60_000;

/** The critical alerts that a message must not hide, the worst first: at least one, with the names of the routes that it
 *  touches or its feed. `time`: of the worst. */
export interface Beside {
  criticals: readonly { alert: Alert; names: readonly string[]; feed: string | null }[];
  time: string;
}

/** The room for the lines on the plate, less its symbol; for the title also less the longest time, which upright stands below it. */
const BESIDE = { usual: { title: 1180, line: 1580 }, upright: { title: 830, line: 790 } };

/** "Critical on Leeds to Heathrow and Bradford to Hull, also critical: A9 at Dalnacardoch", otherwise
 *  "Critical on 2 routes"; "Critical in UK Roads" if it touches no route. */
function besideForms([worst, ...others]: Beside['criticals']): string[] {
  const { names, feed } = worst!; // there is one
  const touched =
    names.length > 0
      ? [
          `Critical on ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}`,
          `Critical on ${counted(names.length, 'route')}`,
        ]
      : [`Critical${feed ? ` in ${knownFeed(feed)?.title ?? 'a feed'}` : ''}`];
  if (others.length === 0) return touched;
  const also = alsoForms(others.map(({ alert }) => alert));
  return touched.flatMap((words) =>
    [...also, `and ${others.length} more`].map((more) => `${words}, ${more}`),
  );
}

/** The room for the names of silent sources beside the end and the last refresh. */
const SILENT_WIDTH = 400;

/** The id of a text that is a page of a layout: nobody sent or graded it. By night only this is shaded. */
export const PAGE = 'page';

/** The whole screen. */
export function MessageScreen({
  message,
  board: { view, problem },
  beside,
  band = null,
}: {
  message: Message;
  board: Pick<Board, 'view' | 'problem'>;
  beside: Beside | null;
  /** A message above a page of a layout, with its height in units. */
  band?: { height: number; message: React.ReactNode } | null;
}) {
  const text = message.text ?? '';
  const time = useClock((now) => formatClock(now));
  const until = dateOf(message.until);
  // A message that stays long has a frame for one minute in ten, so that it does not burn in.
  const framed = useClock(
    (now) =>
      now.getTime() - (dateOf(message.at)?.getTime() ?? 0) >= LONG_MS &&
      Math.floor(now.getTime() / 60_000) % 10 === 0,
  );
  const isSent = message.id !== PAGE;
  const look = lookOf(message);
  const form = useForm();
  const room = BESIDE[form === 'upright' ? 'upright' : 'usual'];
  const { at: shownAt, rows } = useShown(view);
  const silent = silentNames(rows);
  const { connection, words, refreshed } = useConnection(shownAt, problem, {
    silent: silent.length,
    isWall: true,
  });
  return (
    <div className={frame.wall} style={measureSheet(form)} data-form={form}>
      <main
        className={styles.screen}
        data-look={isSent ? look : undefined}
        data-framed={framed || undefined}
        data-covers
        data-filled={(look === 'critical' && !framed) || undefined}
        style={{ '--size': screenSize(text, form, beside !== null, band?.height) } as React.CSSProperties}
      >
        <header className={styles.head} data-nowrap data-line>
          {isSent && <Severity grade={look} wordless />}
          <p role={look === 'critical' ? 'alert' : 'status'}>
            <b>
              <Head message={message} />
            </b>
            {isSent && <span>{GRADE_WORDS[look]}</span>}
          </p>
          <div className={styles.clock} data-push>
            <FlapClock time={time} />
          </div>
        </header>
        <div className={styles.above}>{band?.message}</div>
        <p className={styles.text} dir="auto">
          {together(text)}
        </p>
        <p className={styles.end} data-nowrap data-line data-align="baseline">
          <b>{until && `until ${formatClock(until)}`}</b>
          <span>
            {words}
            {connection === 'Live' && silent.length > 0 && `: ${namesWithin(silent, SILENT_WIDTH, 'kind')}`},
            last&nbsp;refresh&nbsp;{refreshed}
          </span>
        </p>
        {beside && (
          <p className={styles.beside} data-nowrap data-filled>
            <Severity grade="critical" wordless />
            <small>{fitting(besideForms(beside.criticals), room.line, 'kind')}</small>
            <b>{fitting(wallForms(beside.criticals[0]!.alert), room.title, 'effect')}</b>
            <span>{beside.time}</span>
          </p>
        )}
        {!isSent && <div className={frame.shade} />}
      </main>
    </div>
  );
}

/** The message below the header and above the page's own content, with its height in units. `large`: the page is
 *  large. */
export function messageBand(
  message: Message,
  { form, large }: { form: Form; large: boolean },
): { height: number; message: React.ReactNode } {
  const text = message.text ?? '';
  const { size, height } = bandSize(text, sheetOf(form, large));
  const look = lookOf(message);
  const until = dateOf(message.until);
  return {
    height: height + BAND_GAP,
    message: (
      <section
        className={styles.band}
        data-look={look}
        data-stands
        data-filled={look === 'critical' || undefined}
        aria-label="Message"
        style={{ '--size': size, '--height': height } as React.CSSProperties}
      >
        <Severity grade={look} wordless />
        <p className={styles.bandHead} data-justify="between" data-line>
          <span>
            <Head message={message} />, {GRADE_WORDS[look]}
          </span>
          {until && <span>until {formatClock(until)}</span>}
        </p>
        <p className={styles.bandText} dir="auto" role={look === 'critical' ? 'alert' : 'status'}>
          {together(text)}
        </p>
      </section>
    ),
  };
}

// The type size of a message: as large as its length allows, and smaller in steps until the whole text is on the
// screen.

/** For each length of text, the first size and the smallest that people can read from where they stand. In units. */
const STEPS = [
  { most: 40, size: 196, floor: 56 },
  { most: 80, size: 156, floor: 56 },
  { most: 140, size: 124, floor: 47 },
  { most: 200, size: 104, floor: 47 },
] as const;
const STEP = 4;
const LINE = 1.06;

/** The room for the text: the screen without its frame, head, end and the plate beside it. */
const ROOMS: Readonly<Record<'usual' | 'upright', { width: number; height: number; plate: number }>> = {
  usual: { width: 1752, height: 773, plate: 146 },
  upright: { width: 952, height: 1497, plate: 198 },
};

/** The text with no-break spaces, so that a word and its number stay on one line: "gate 2", "bays 4 to 7". */
export const together = (text: string) =>
  text.replace(/ (?=\d)/g, '\u00a0').replace(/(?<=\d) to\u00a0/g, '\u00a0to\u00a0');

/** How many lines the text takes; null when one of its words is wider than the line. */
export function linesOf(text: string, size: number, width: number): number | null {
  const scale = size / FACES.place.size;
  const space = textWidth(' ', 'place') * scale;
  let lines = 1;
  let left: number = width;
  for (const word of together(text).split(' ')) {
    const wide = textWidth(word, 'place') * scale;
    if (wide > width) return null;
    if (wide > left) {
      lines += 1;
      left = width;
    }
    left -= wide + space;
  }
  return lines;
}

/** `band`: the height of a message above it, in units. */
export function screenSize(text: string, form: Form, beside: boolean, band = 0): number {
  const room = ROOMS[form === 'upright' ? 'upright' : 'usual'];
  const height = room.height - (beside ? room.plate : 0) - band;
  const { size: first, floor } = STEPS.find(({ most }) => text.length <= most) ?? STEPS[3];
  let size: number = first;
  const fits = () => {
    const lines = linesOf(text, size, room.width);
    return lines !== null && lines * size * LINE <= height;
  };
  while (size > floor && !fits()) size -= STEP;
  return Math.max(size, floor);
}

const BAND = [
  { most: 58, size: 64 },
  { most: 80, size: 56 },
  { most: 200, size: 47 },
] as const;
/** The width beside the symbol and within the frame. */
const BAND_WIDTH = { usual: 1648, wide: 1648, large: 1302, upright: 808, tall: 628 };
/** As large as on an upright board, whose units are smaller. */
const TALL_SIZE = 0.83;
/** The frame, the line above the text, and some room. */
const BAND_REST = 72;

/** The size in a band, and the height of all its lines. */
export function bandSize(text: string, form: Sheet): { size: number; height: number } {
  const { size: usual } = BAND.find(({ most }) => text.length <= most) ?? BAND[2];
  const size = form === 'tall' ? Math.round(usual * TALL_SIZE) : usual;
  const wide = textWidth(text, 'place') * (size / FACES.place.size);
  // A word wider than the line is broken, and the words around it can each leave a line unfilled.
  const lines = linesOf(text, size, BAND_WIDTH[form]) ?? Math.ceil(wide / BAND_WIDTH[form]) + 1;
  return { size, height: Math.max(140, Math.round(BAND_REST + lines * size * 1.02)) };
}
