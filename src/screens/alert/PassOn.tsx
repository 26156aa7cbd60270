import { useRef } from 'react';
import type { AlertRecord } from '../../api/alerts/alerts.ts';
import { useClock } from '../../time/tickingClock.ts';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Panel } from '../../ui/page/Page.tsx';
import { customerText, driverText } from './copyTexts.ts';
import styles from './AlertPage.module.css';

/** The two texts, shown as they will be copied. */
export function PassOn({ alert }: { alert: AlertRecord }) {
  const driver = useClock((now) => driverText(alert, now));
  const customer = useClock((now) => customerText(alert, now));

  return (
    <Panel heading="To pass on">
      <div className={styles.texts} data-columns="40">
        <CopyText heading="Driver" text={driver} />
        <CopyText heading="Customer" text={customer} />
      </div>
    </Panel>
  );
}

function CopyText({ heading, text }: { heading: string; text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);

  return (
    <div data-stack="1" data-align="start">
      <h3 data-text="line" data-tone="2">
        {heading}
      </h3>
      <p ref={shown}>{text}</p>
      <CopyButton text={text} from={shown} label={`Copy for ${heading.toLowerCase()}`} />
    </div>
  );
}
