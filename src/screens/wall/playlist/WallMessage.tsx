import type { Self } from '../../../api/displays/displaySelf.ts';
import { dateOf } from '../../../feeds/alerts/alerts.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { formatClock } from '../../../time/london.ts';
import { FlapClock } from '../../../ui/signs/Flap.tsx';
import { type Grade, GRADE_WORDS, Severity } from '../../../ui/signs/Severity.tsx';
import styles from './WallMessage.module.css';

export type Message = NonNullable<Self['message']>;

/** Whether it stands: by the server's clock, also while there is no server. */
export const useStands = (message: Message | null | undefined): boolean =>
  useClock((now) => (dateOf(message?.until)?.getTime() ?? 0) > now.getTime());

/** Of the text, in units, by how long it is. */
const SCREEN_SIZES = [
  [40, 196],
  [80, 156],
  [140, 124],
  [200, 104],
] as const;
const BAND_SIZES = [
  { most: 58, size: 64, height: 140 },
  { most: 80, size: 56, height: 180 },
  { most: 150, size: 47, height: 164 },
  { most: 200, size: 47, height: 216 },
] as const;
const BAND_GAP = 12;

/** A word and its number are never on two lines: "gate 2", "bays 4 to 7". */
const together = (text: string) =>
  text.replace(/ (?=\d)/g, '\u00a0').replace(/(?<=\d) to\u00a0/g, '\u00a0to\u00a0');

const lookOf = ({ look }: Message): Grade => look ?? 'medium';

function headOf({ from, at }: Message): string {
  const sent = dateOf(at);
  return `Message${from ? ` from ${from}` : ''}${sent ? `, ${formatClock(sent)}` : ''}`;
}

const LONG_MS = 30 * 60_000;

/** The whole screen. */
export function MessageScreen({ message, beside }: { message: Message; beside: string | null }) {
  const text = message.text ?? '';
  const time = useClock((now) => formatClock(now));
  const until = dateOf(message.until);
  const size = SCREEN_SIZES.find(([most]) => text.length <= most)?.[1] ?? 104;
  // What stands for long is framed one minute in ten, so that it does not burn in.
  const framed = useClock(
    (now) =>
      now.getTime() - (dateOf(message.at)?.getTime() ?? 0) >= LONG_MS &&
      Math.floor(now.getTime() / 60_000) % 10 === 0,
  );
  const look = lookOf(message);
  return (
    <div className={styles.wall}>
      <main
        className={styles.screen}
        data-look={look}
        data-framed={framed || undefined}
        style={{ '--size': beside ? Math.min(size, 80) : size } as React.CSSProperties}
      >
        <header className={styles.head}>
          <Severity grade={look} wordless />
          <p role={look === 'critical' ? 'alert' : 'status'}>
            <b>{headOf(message)}</b>
            <span>{GRADE_WORDS[look]}</span>
          </p>
          <div className={styles.clock}>
            <FlapClock time={time} />
          </div>
        </header>
        <p className={styles.text}>{together(text)}</p>
        {until && <p className={styles.until}>until {formatClock(until)}</p>}
        {beside && (
          <p className={styles.beside}>
            <Severity grade="critical" wordless /> {beside}
          </p>
        )}
        <div className={styles.shade} />
      </main>
    </div>
  );
}

/** Under the header, above what the page says itself; with its height in units. */
export function messageBand(message: Message): { height: number; message: React.ReactNode } {
  const text = message.text ?? '';
  const { size, height } = BAND_SIZES.find(({ most }) => text.length <= most) ?? BAND_SIZES[3];
  const look = lookOf(message);
  const until = dateOf(message.until);
  return {
    height: height + BAND_GAP,
    message: (
      <section
        className={styles.band}
        data-look={look}
        aria-label="Message"
        style={{ '--size': size, '--height': height } as React.CSSProperties}
      >
        <Severity grade={look} wordless />
        <p className={styles.bandHead}>
          <span>
            {headOf(message)}, {GRADE_WORDS[look]}
          </span>
          {until && <span>until {formatClock(until)}</span>}
        </p>
        <p className={styles.bandText} role={look === 'critical' ? 'alert' : 'status'}>
          {together(text)}
        </p>
      </section>
    ),
  };
}
