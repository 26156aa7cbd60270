import { type DigestTimes, type MessageSettings, QUIET_HOURS } from '#contract/messages.ts';
import { useState } from 'react';
import { chooseSettings } from '../api/messages.ts';
import { failureText } from '../api/failureText.ts';
import { Check } from '../ui/Check.tsx';
import { Field } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { SegmentedSwitch } from '../ui/SegmentedSwitch.tsx';
import styles from './ChannelsPanel.module.css';

const DIGESTS: readonly { value: DigestTimes; label: string }[] = [
  { value: 'off', label: 'off' },
  { value: '06:00', label: '06:00' },
  { value: '06:00 and 14:00', label: '06:00 and 14:00' },
];

/** Quiet hours, digest and privacy, for all of the person's channels. Each change is stored at once. */
export function SettingsPanels({
  settings,
  onChanged,
}: {
  settings: MessageSettings;
  onChanged: () => Promise<void>;
}) {
  const [chosen, setChosen] = useState(settings);
  const [failure, setFailure] = useState<string | null>(null);
  const quiet = chosen.quiet ?? { ...QUIET_HOURS, from: '00:00', to: '00:00' };

  const choose = async (change: Partial<MessageSettings>) => {
    const next = { ...chosen, ...change };
    setChosen(next);
    setFailure(null);
    if (next.quiet && !(isClock(next.quiet.from) && isClock(next.quiet.to))) return; // still being typed
    try {
      await chooseSettings(next);
      await onChanged();
    } catch (error) {
      setFailure(failureText(error, 'Unable to save this'));
    }
  };

  return (
    <>
      <Panel heading="Quiet hours">
        <div className={styles.hours}>
          <Field
            label="From"
            inside
            inputMode="numeric"
            pattern="([01]\d|2[0-3]):[0-5]\d"
            maxLength={5}
            value={quiet.from}
            onChange={({ target }) => void choose({ quiet: { ...quiet, from: target.value } })}
          />
          <Field
            label="To"
            inside
            inputMode="numeric"
            pattern="([01]\d|2[0-3]):[0-5]\d"
            maxLength={5}
            value={quiet.to}
            onChange={({ target }) => void choose({ quiet: { ...quiet, to: target.value } })}
          />
        </div>
        <Check
          label="Critical breaks through"
          checked={quiet.critical}
          onChange={(critical) => void choose({ quiet: { ...quiet, critical } })}
        />
      </Panel>
      <Panel heading="Digest">
        <SegmentedSwitch
          label="Digest"
          options={DIGESTS}
          value={chosen.digest}
          onChange={(digest) => void choose({ digest })}
        />
      </Panel>
      <Panel heading="Privacy">
        <Check
          label="Hide details on the lock screen"
          checked={chosen.hide_details}
          onChange={(hide_details) => void choose({ hide_details })}
        />
      </Panel>
      {failure && <Notice>{failure}</Notice>}
    </>
  );
}

const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
