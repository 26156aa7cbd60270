import { useEffect, useState } from 'react';
import styles from './QrCode.module.css';

/** The clear border that readers need, in modules. */
const QUIET = 4;

/** The text as a QR code. Nothing is shown until it is drawn, or if that fails, because the text is on the screen as
 *  well. */
export function QrCode({ text, label = `QR code: ${text}` }: { text: string; label?: string }) {
  const [drawn, setDrawn] = useState<{ path: string; size: number } | null>(null);

  useEffect(() => {
    let gone = false;
    const draw = async () => {
      const { encode } = await import('uqr');
      const { data, size } = encode(text, { ecc: 'M', border: QUIET });
      if (!gone) setDrawn({ path: pathOf(data), size });
    };
    draw().catch(() => {
      /* By design: people can type the text. */
    });
    return () => {
      gone = true;
    };
  }, [text]);

  if (!drawn) return null;
  return (
    <svg className={styles.qr} viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={label}>
      <path fill="var(--on-invert)" d={drawn.path} />
    </svg>
  );
}

/** One bar for each run of dark modules. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .map((row, y) => {
      let bars = '';
      for (let x = 0; x < row.length; x++) {
        const from = x;
        while (row[x]) x++;
        if (x > from) bars += `M${from} ${y}h${x - from}v1H${from}z`;
      }
      return bars;
    })
    .join('');
}
