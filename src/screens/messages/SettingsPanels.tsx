import { type DigestTimes, MessageSettings, QUIET_HOURS } from '#contract/messages/messages.ts';
import { useEffect, useRef, useState } from 'react';
import { chooseSettings } from '../../api/watches/channels.ts';
import { failureText } from '../../api/http.ts';
import { Check } from '../../ui/controls/Choice.tsx';
import { SelectField, ToolField } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Panel } from '../../ui/page/Page.tsx';
import { SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import styles from './ChannelsPanel.module.css';

const DIGESTS: readonly { value: DigestTimes; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: '06:00', label: '06:00' },
  { value: '06:00 and 14:00', label: '06:00 and 14:00' },
];

/** Quiet hours, digest and privacy, for all channels of the person. Each change is stored at once. */
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

  /** The settings on the server, the settings to store next, and whether a request is on its way: only one at a
   *  time, so that none overtakes a later one. */
  const stored = useRef(settings);
  const wanted = useRef<MessageSettings | null>(null);
  const isSending = useRef(false);
  useEffect(() => {
    if (isSending.current) return;
    stored.current = settings;
    // oxlint-disable-next-line react/set-state-in-effect -- the server's settings, but not over typed text
    setChosen((now) => (isWhole(now.quiet) ? settings : { ...settings, quiet: now.quiet }));
  }, [settings]);

  const send = async () => {
    if (isSending.current) return;
    isSending.current = true;
    for (let next = wanted.current; next; next = wanted.current) {
      wanted.current = null;
      try {
        await chooseSettings(next);
        stored.current = next;
      } catch (error) {
        if (wanted.current) continue; // a later choice is sent instead
        setFailure(failureText(error, 'Unable to save this'));
        setChosen((now) => (isWhole(now.quiet) ? stored.current : { ...stored.current, quiet: now.quiet }));
      }
    }
    isSending.current = false;
    await onChanged();
  };
  const choose = (change: Partial<MessageSettings>) => {
    const next = { ...chosen, ...change };
    setChosen(next);
    setFailure(null);
    const isBeingTyped = !isWhole(next.quiet) && change.quiet;
    if (isBeingTyped) return;
    if (isWhole(next.quiet)) wanted.current = next;
    else wanted.current = { ...next, quiet: stored.current.quiet };
    void send();
  };

  return (
    <>
      <Panel heading="My quiet hours">
        <div className={styles.hours}>
          <ToolField label="From">
            <input
              inputMode="numeric"
              pattern="([01]\d|2[0-3]):[0-5]\d"
              maxLength={5}
              value={quiet.from}
              onChange={({ target }) => choose({ quiet: { ...quiet, from: target.value } })}
            />
          </ToolField>
          <ToolField label="To">
            <input
              inputMode="numeric"
              pattern="([01]\d|2[0-3]):[0-5]\d"
              maxLength={5}
              value={quiet.to}
              onChange={({ target }) => choose({ quiet: { ...quiet, to: target.value } })}
            />
          </ToolField>
        </div>
        <Check
          label="Critical breaks through"
          checked={quiet.critical}
          onChange={(critical) => choose({ quiet: { ...quiet, critical } })}
        />
      </Panel>
      <Panel heading="My digest">
        <SegmentedSwitch
          label="Digest"
          options={DIGESTS}
          value={chosen.digest}
          onChange={(digest) => choose({ digest })}
        />
      </Panel>
      <Panel heading="My grade">
        <SelectField
          label="Tell me at once"
          hint="If a route, area or feed is stricter, its setting counts."
          value={chosen.threshold ?? ''}
          onChange={({ target }) =>
            choose({ threshold: MessageSettings.shape.threshold.parse(target.value || null) })
          }
        >
          <option value="">what each route, area or feed says</option>
          <option value="critical">critical alone</option>
          <option value="high">high and worse</option>
          <option value="medium">medium and worse</option>
        </SelectField>
      </Panel>
      <Panel heading="Privacy">
        <Check
          label="Hide details on the lock screen"
          checked={chosen.hide_details}
          onChange={(hide_details) => choose({ hide_details })}
        />
      </Panel>
      {failure && <Notice>{failure}</Notice>}
    </>
  );
}

const isWhole = (quiet: MessageSettings['quiet']) => !quiet || (isClock(quiet.from) && isClock(quiet.to));
const isClock = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
