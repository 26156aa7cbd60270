import { MINUTE_MS } from '#contract/durations.ts';
import { wasSeen } from '#contract/displays/displayStanding.ts';
import { MESSAGE_HOURS_MAX, MESSAGE_MAX, type MessageCover } from '#contract/displays/layouts.ts';
import { Severity as Grades } from '#contract/incidents/severity.ts';
import { useEffect, useRef, useState } from 'react';
import { sendToDisplays } from '../../api/displays/layouts.ts';
import { useSubmit } from '../../api/useAction.ts';
import { dateOf } from '../../feeds/alerts/alerts.ts';
import { useSession, useTyped } from '../../session/session.ts';
import { serverNow } from '../../time/freshness.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Choice } from '../../ui/controls/Choice.tsx';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { bound, SelectField, TextField, optionsOf } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { GRADE_WORDS, Severity } from '../../ui/signs/Severity.tsx';
import styles from './LayoutsPage.module.css';
import { NEW_PAGE } from './pages.ts';
import { Preview, type Shown } from './Preview.tsx';
import { type ListedDisplay, reachedBy, targetChoices, targetOf } from './shownLayout.ts';

const LYING = { width: 1920, height: 1080 };

/** A message for screens: its text, its displays, its look, its end, and a preview. */
export function MessageDialog({
  displays,
  shown,
  onClose,
  onDone,
}: {
  displays: readonly ListedDisplay[];
  shown: Shown;
  onClose: () => void;
  onDone: () => Promise<void>;
}) {
  const from = useSession(({ user }) => user?.displayName ?? '');
  const [opened] = useState(serverNow);
  const times = untilChoices(opened, MESSAGE_HOURS_MAX);
  const [typed, setTyped, forget] = useTyped('message to displays', () => ({
    to: 'all',
    text: '',
    look: 'medium' as Grades,
    cover: 'screen' as MessageCover,
  }));
  const { to, text, look, cover } = typed;
  const set = (changed: Partial<typeof typed>) => setTyped({ ...typed, ...changed });
  const [until, setUntil] = useState(times[2]!.value); // an hour
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);

  const target = targetOf(to);
  const meant = reachedBy(displays, target);
  const absent = meant.filter((display) => !wasSeen(display, opened));
  const { action, isBusy, failure } = useSubmit(async () => {
    if (text.trim() === '') return 'Write a message.';
    if (meant.length === 0) return 'No display of your team is paired.';
    await sendToDisplays({ to: target, text: text.trim(), look, cover, until });
    forget();
    return onDone();
  }, 'Unable to send the message');

  const first = meant.find(({ screen }) => screen?.width && screen.height);
  const size = first ? (first.screen as typeof LYING) : LYING;
  const end = dateOf(until);

  return (
    <Dialog heading="Message to displays" wide onClose={() => !isBusy && onClose()}>
      <form action={action} className={styles.message} data-columns="60">
        <div data-stack="4">
          <SelectField label="To" {...bound(to, (to) => set({ to }))}>
            {optionsOf(targetChoices(displays).map(({ value, label }) => [value, label]))}
          </SelectField>
          <TextField
            label="Text"
            rows={3}
            maxLength={MESSAGE_MAX}
            hint={
              <span className={styles.between} data-justify="between" data-line="4" data-align="stretch">
                <span>
                  Shown as: Message from <bdi>{from}</bdi>, {formatClock(opened)}
                </span>
                <span>
                  {text.length} of {MESSAGE_MAX}
                </span>
              </span>
            }
            {...bound(text, (value) => set({ text: value.replaceAll('\n', ' ') }))}
          />
          <Choice
            legend="Look"
            options={Grades.options.map((value) => ({
              value,
              label: <Severity grade={value} word={GRADE_WORDS[value]} />,
            }))}
            value={look}
            onChange={(look) => set({ look })}
          />
          <Choice
            legend="Where on the screen"
            options={[
              { value: 'screen', label: 'Take over the whole screen' },
              { value: 'band', label: 'Band' },
            ]}
            value={cover}
            onChange={(cover) => set({ cover })}
          />
          <SelectField
            label="Until"
            hint={`At most ${MESSAGE_HOURS_MAX} hours. It ends by itself, offline too.`}
            {...bound(until, setUntil)}
          >
            {optionsOf(times.map(({ value, label }) => [value, label]))}
          </SelectField>
        </div>
        <div data-stack="3">
          <figure>
            <Preview
              shown={shown}
              size={size}
              page={NEW_PAGE}
              message={{ id: 'new', text, look, cover, until, from, at: opened.toISOString() }}
            />
            <figcaption data-top="1" data-text="small" data-tone="2">
              Drawn at the size of{' '}
              {first ? <bdi>{first.name || 'an unnamed display'}</bdi> : `${size.width} × ${size.height}`}
            </figcaption>
          </figure>
          <p>
            {meant.length === 0
              ? 'No display is paired by your team.'
              : `Reaches ${counted(meant.length - absent.length, 'display')} within 65 seconds.`}
          </p>
          {absent.length > 0 && end && <p data-tone="2">{absentWords(absent, end)}</p>}
          <p data-tone="2">
            Pages stop while it is shown. A critical alert that certainly touches a route keeps a band below
            it.
          </p>
        </div>
        {failure && <Notice>{failure}</Notice>}
        <div data-tight="2" data-row="3">
          <Button
            ref={cancel}
            busy={isBusy}
            onClick={() => {
              forget();
              onClose();
            }}
          >
            Cancel
          </Button>
          <Button type="submit" kind="primary" busy={isBusy}>
            Show on {counted(meant.length, 'display')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** "Canteen was last seen at 05:21 and gets it when it is back before 09:00." */
function absentWords([first, ...others]: readonly ListedDisplay[], end: Date): string {
  const before = `back before ${formatClock(end)}.`;
  if (others.length > 0)
    return `${others.length + 1} were not seen lately and get it when they are ${before}`;
  const seen = dateOf(first?.last_seen_at);
  return `${first?.name || 'One display'} was ${seen ? `last seen at ${formatClock(seen)}` : 'not seen yet'} and gets it when it is ${before}`;
}

const SPANS = [15, 30, 60];

export function untilChoices(now: Date, mostHours: number): { value: string; label: string }[] {
  const last = now.getTime() + mostHours * 60 * MINUTE_MS;
  const spans = SPANS.map((minutes) => now.getTime() + minutes * MINUTE_MS);
  const firstHour = Math.ceil(now.getTime() / (60 * MINUTE_MS)) * 60 * MINUTE_MS;
  const hours = Array.from({ length: mostHours + 1 }, (_, hour) => firstHour + hour * 60 * MINUTE_MS);
  return [...spans, ...hours.filter((at) => at > spans.at(-1)! && at < last)].map((at) => ({
    value: new Date(at).toISOString(),
    label: `${formatClock(at)} (in ${spanWords(at - now.getTime())})`,
  }));
}

/** "15 min", "2 h 55" */
function spanWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60}` : ''}`;
}
