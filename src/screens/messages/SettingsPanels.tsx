import { type DigestTimes, MessageSettings, QUIET_HOURS } from '#contract/messages/messages.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { chooseSettings } from '../../api/watches/channels.ts';
import { useAction } from '../../api/useAction.ts';
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
  const { run, isBusy, failure, clear } = useAction();
  const quiet = chosen.quiet ?? { ...QUIET_HOURS, from: '00:00', to: '00:00' };

  /** The settings on the server, and the settings to store next. */
  const stored = useRef(settings);
  const wanted = useRef<MessageSettings | null>(null);
  /** Shows the server's settings, but not over text that is being typed. */
  const show = (now: MessageSettings) => {
    stored.current = now;
    setChosen(({ quiet }) => (isWhole(quiet) ? now : { ...now, quiet }));
  };
  const showNew = useEffectEvent((now: MessageSettings) => {
    if (!isBusy) show(now);
  });
  // oxlint-disable-next-line react/set-state-in-effect -- the server's settings, but not over typed text
  useEffect(() => showNew(settings), [settings]);

  /** Only one request is on its way at a time, so that none overtakes a later one. */
  const send = () =>
    run(async () => {
      let refusal: unknown = null;
      for (let next = wanted.current; next; next = wanted.current) {
        wanted.current = null;
        refusal = null; // a later choice is sent instead of a refused one
        try {
          await chooseSettings(next);
          stored.current = next;
        } catch (error) {
          refusal = error;
        }
      }
      void onChanged();
      if (refusal === null) return;
      show(stored.current);
      throw refusal;
    }, 'Unable to save this');
  const choose = (change: Partial<MessageSettings>) => {
    const next = { ...chosen, ...change };
    setChosen(next);
    clear();
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
