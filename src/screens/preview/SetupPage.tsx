import { type ReactNode, useEffect, useRef, useState, type CSSProperties } from 'react';
import { dayWords, formatDate } from '../../time/london.ts';
import { serverNow } from '../../time/freshness.ts';
import { useAnswer } from '../../api/useAnswer.ts';
import { loadSnapshot, saveSnapshot } from '../../offline/snapshot.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { Check, Choice, Choices } from '../../ui/controls/Choice.tsx';
import { bound, Field, SelectField, TextField } from '../../ui/controls/Field.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Slider } from '../../ui/controls/Slider.tsx';
import { SamplePage } from './SamplePage.tsx';
import styles from './SetupPage.module.css';
import { pageAddress } from '#contract/addresses.ts';
import { VISIBLE } from '#contract/names.ts';
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle';
import { Link } from 'wouter';
import { addDays, isValid } from 'date-fns';
import { z } from 'zod/mini';

const EVENT_TYPES = ['Concert', 'Conference', 'Sports', 'Festival', 'Corporate', 'Other'] as const;
const TRANSPORT_MODES = ['tube', 'rail', 'bus', 'road', 'ferry'] as const;
const WATCH_TYPES = ['rail', 'tube', 'bus', 'road', 'weather', 'protest'] as const;
const MONITORING_WINDOWS = ['week-before', '3-days-before', 'event-day-only', 'continuous'] as const;
const ALERT_METHODS = ['email', 'sms', 'dashboard only'] as const;

/** The step of the sensitivities, which go from 0 to 100. */
const SENSITIVITY_STEP = 5;
const SENSITIVITY = 50;
const BROADER_AREA_KM = 2;
/** A placeholder: no data is gathered yet. */
const GATHERED_PERCENT = 86;

const STEPS = ['Event Basics', 'Location', 'Schedule', 'Settings'] as const;

const count = z.catch(z.int().check(z.minimum(0)), 0);
const text = z.catch(z.string(), '');
const sensitivity = z.catch(z.number().check(z.minimum(0), z.maximum(100)), SENSITIVITY);

/** Every field has a default, so a draft of an older version loses only the fields that it lacks. */
export const SetupDraft = z.object({
  eventName: text,
  organisation: text,
  eventType: z.catch(z.enum(EVENT_TYPES), 'Concert'),
  attendance: count,
  description: text,
  venueName: text,
  venueAddress: text,
  transportModes: z.catch(z.array(z.enum(TRANSPORT_MODES)), []),
  watchTypes: z.catch(z.array(z.enum(WATCH_TYPES)), []),
  includeBroaderArea: z.catch(z.boolean(), false),
  /** YYYY-MM-DD, or empty. */
  startDate: text,
  endDate: text,
  setupDays: count,
  breakdownDays: count,
  monitoringWindow: z.catch(z.enum(MONITORING_WINDOWS), '3-days-before'),
  alertMethods: z.catch(z.array(z.enum(ALERT_METHODS)), []),
  transportSensitivity: sensitivity,
  weatherSensitivity: sensitivity,
  crowdSensitivity: sensitivity,
  overlapSensitivity: sensitivity,
  autoNotify: z.catch(z.boolean(), false),
});
export type SetupDraft = z.infer<typeof SetupDraft>;

export const EMPTY_DRAFT: SetupDraft = SetupDraft.parse({});

/** The typed whole number; 0 when the text is not one. */
export function parseCount(typed: string): number {
  const number = Number.parseInt(typed, 10);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

const DAYS_BEFORE = { 'week-before': 7, '3-days-before': 3, 'event-day-only': 0 } as const;

/**
 * The first day on which the event is watched. It is today if watching begins at once, or if the start is not known.
 */
export function watchedFrom({ startDate, setupDays, monitoringWindow }: SetupDraft, today: Date): Date {
  // Noon gives the same day in every time zone of a device.
  const start = new Date(`${startDate}T12:00:00Z`);
  if (monitoringWindow === 'continuous' || !isValid(start)) return today;
  const from = addDays(start, -DAYS_BEFORE[monitoringWindow] - setupDays);
  return from > today ? from : today; // also when this many days go back past the earliest date
}

/** The name carries the shape's version. */
const KEPT_DRAFT = 'setup-draft-1';

const LABELS: Readonly<Record<string, string>> = {
  tube: 'Tube',
  rail: 'Rail',
  bus: 'Bus',
  road: 'Road',
  ferry: 'Ferry',
  weather: 'Weather',
  protest: 'Protest',
  'week-before': 'Week before',
  '3-days-before': '3 days before',
  'event-day-only': 'Event day only',
  continuous: 'Continuous',
  email: 'Email',
  sms: 'SMS',
  'dashboard only': 'Dashboard only',
};
const options = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: LABELS[value] ?? value }));

interface Setup {
  draft: SetupDraft;
  /** From 0 to 3; 4 is the confirmation. */
  step: number;
}

const START: Setup = { draft: EMPTY_DRAFT, step: 0 };

const SAVED = 'Draft saved successfully';
const NOT_SAVED = 'The draft could not be saved: this browser stores nothing for Clearway';

/** The four steps for watching an event. The typed text stays on this device and survives a reload. */
export function SetupPage() {
  const [setup, setSetup] = useKeptSetup();
  const [saved, setSaved] = useState('');
  const heading = useHeadingOf(setup?.step);
  if (!setup) return <Page heading="Watch a new event" />;

  const { draft, step } = setup;
  const go = (to: number) => {
    setSaved('');
    setSetup({ draft, step: to });
  };
  if (step >= STEPS.length) {
    return (
      <SamplePage heading="Watch a new event">
        <SetupDone draft={draft} onAnother={() => setSetup(START)} />
      </SamplePage>
    );
  }

  const last = step === STEPS.length - 1;
  const change = (changed: Partial<SetupDraft>) => {
    setSaved('');
    setSetup({ draft: { ...draft, ...changed }, step });
  };

  return (
    <Page
      heading="Watch a new event"
      about="A preview: what you enter stays on this device, and no alert is sent yet."
      aside={
        <p data-text="lead" data-tone="2">
          Step {step + 1} of {STEPS.length}
        </p>
      }
    >
      <ol className={styles.line} aria-label="Steps">
        {STEPS.map((name, index) => (
          <li
            key={name}
            data-done={index < step || undefined}
            aria-current={index === step ? 'step' : undefined}
          >
            {name}
          </li>
        ))}
      </ol>
      <form className={styles.sheet} data-sheet action={() => go(step + 1)} aria-labelledby="setup-step">
        <h2 id="setup-step" data-bottom="4" ref={heading} tabIndex={-1}>
          {STEPS[step]}
        </h2>
        <div data-stack="5">{fieldsOf(step, draft, change)}</div>
        <div className={styles.acts} data-top="5" data-row="3">
          <Button disabled={step === 0} onClick={() => go(step - 1)}>
            Back
          </Button>
          <span role="alert" className={styles.saved}>
            {saved}
          </span>
          <Button
            kind="quiet"
            onClick={() => void keep(setup).then((kept) => setSaved(kept ? SAVED : NOT_SAVED))}
          >
            Save Draft
          </Button>
          <Button kind="primary" type="submit">
            {last ? 'Start Watching This Event' : 'Next'}
          </Button>
        </div>
      </form>
    </Page>
  );
}

/** The draft. Undefined until the stored draft has been read. Every change is stored at once. */
function useKeptSetup(): [Setup | undefined, (setup: Setup) => void] {
  const [changed, setChanged] = useState<Setup>();
  const { data } = useAnswer('draft', async () => readSetup((await loadSnapshot(KEPT_DRAFT))?.data), '');
  return [
    changed ?? data,
    (setup) => {
      setChanged(setup);
      void keep(setup);
    },
  ];
}

/** A finished setup no longer needs its draft; the next one starts empty. */
const keep = (setup: Setup): Promise<boolean> =>
  saveSnapshot(KEPT_DRAFT, setup.step < STEPS.length ? setup : START, serverNow());

function readSetup(kept: unknown): Setup {
  const { draft, step } = (kept ?? {}) as { draft?: unknown; step?: unknown };
  return {
    draft: SetupDraft.safeParse(draft).data ?? EMPTY_DRAFT,
    step: typeof step === 'number' && step > 0 && step < STEPS.length ? Math.floor(step) : 0,
  };
}

/** After a step, a screen reader says where the user is. */
function useHeadingOf(step: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  return heading;
}

function fieldsOf(
  step: number,
  draft: SetupDraft,
  change: (changed: Partial<SetupDraft>) => void,
): ReactNode {
  type Named<Type> = {
    [Key in keyof SetupDraft]: SetupDraft[Key] extends Type ? Key : never;
  }[keyof SetupDraft];

  const text = (name: Named<string>) => ({
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  const number = (name: Named<number>) => ({
    type: 'number',
    inputMode: 'numeric' as const,
    min: 0,
    step: 1,
    placeholder: '0',
    value: draft[name] === 0 ? '' : draft[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: parseCount(target.value) }),
  });
  const slider = (name: Named<number>) => ({
    value: draft[name],
    step: SENSITIVITY_STEP,
    ends: ['Only the worst', 'Everything'] as const,
    onChange: (value: number) => change({ [name]: value }),
  });

  switch (step) {
    case 0:
      return (
        <>
          <div className={styles.grid}>
            <Field label="Event name" autoComplete="off" {...text('eventName')} />
            <Field label="Organisation" autoComplete="organization" {...text('organisation')} />
            <SelectField
              label="Event type"
              {...bound(draft.eventType, (value) => change({ eventType: value as SetupDraft['eventType'] }))}
            >
              {EVENT_TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </SelectField>
            <Field label="Attendance" hint="People expected" {...number('attendance')} />
          </div>
          <TextField label="Description" rows={4} {...text('description')} />
        </>
      );
    case 1:
      return (
        <>
          <div className={styles.grid}>
            <Field label="Venue name" autoComplete="off" {...text('venueName')} />
            <Field label="Venue address" autoComplete="off" {...text('venueAddress')} />
          </div>
          <Choices
            legend="Transport modes"
            options={options(TRANSPORT_MODES)}
            values={draft.transportModes}
            onChange={(transportModes) => change({ transportModes })}
          />
          <Check
            tile
            label={`Include the broader area (${BROADER_AREA_KM} km)`}
            checked={draft.includeBroaderArea}
            onChange={(includeBroaderArea) => change({ includeBroaderArea })}
          />
        </>
      );
    case 2:
      return (
        <>
          <div className={styles.grid}>
            <Field label="Start date" type="date" hint={dayWords(draft.startDate)} {...text('startDate')} />
            <Field label="End date" type="date" hint={dayWords(draft.endDate)} {...text('endDate')} />
            <Field label="Setup days" {...number('setupDays')} />
            <Field label="Breakdown days" {...number('breakdownDays')} />
          </div>
          <Choice
            legend="Monitoring window"
            options={options(MONITORING_WINDOWS)}
            value={draft.monitoringWindow}
            onChange={(monitoringWindow) => change({ monitoringWindow })}
          />
        </>
      );
    default:
      return (
        <>
          <Choices
            legend="Watch for"
            options={options(WATCH_TYPES)}
            values={draft.watchTypes}
            onChange={(watchTypes) => change({ watchTypes })}
          />
          <Choices
            legend="Alert methods"
            options={options(ALERT_METHODS)}
            values={draft.alertMethods}
            onChange={(alertMethods) => change({ alertMethods })}
          />
          <div className={styles.grid}>
            <Slider label="Transport sensitivity" {...slider('transportSensitivity')} />
            <Slider label="Weather sensitivity" {...slider('weatherSensitivity')} />
            <Slider label="Crowd sensitivity" {...slider('crowdSensitivity')} />
            <Slider label="Overlap sensitivity" {...slider('overlapSensitivity')} />
          </div>
          <Check
            tile
            label="Notify my team automatically"
            checked={draft.autoNotify}
            onChange={(autoNotify) => change({ autoNotify })}
          />
        </>
      );
  }
}

/** The last page of the event setup. */
function SetupDone({ draft, onAnother }: { draft: SetupDraft; onAnother: () => void }) {
  const [today] = useState(serverNow);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const what = [seen(draft.eventName) || 'Your event', seen(draft.venueName)].filter(Boolean).join(', ');

  return (
    <section data-stack="5" data-sheet aria-labelledby="setup-done">
      <div className={styles.sign}>
        <CheckCircleIcon weight="fill" aria-hidden />
        <h2 id="setup-done" ref={heading} tabIndex={-1}>
          Event Watch Activated
        </h2>
        <p data-tone="2">
          <bdi>{what}</bdi>. Watching from {formatDate(watchedFrom(draft, today))}.
        </p>
      </div>
      <div className={styles.progress} data-stack>
        <p>
          <b>{GATHERED_PERCENT}%</b> gathering progress
        </p>
        <span
          className={styles.bar}
          role="progressbar"
          aria-label="Gathering progress"
          aria-valuenow={GATHERED_PERCENT}
          aria-valuemin={0}
          aria-valuemax={100}
          style={{ '--gathered': `${GATHERED_PERCENT}%` } as CSSProperties}
        />
        <p data-tone="3">
          {draft.includeBroaderArea && `Sources within ${BROADER_AREA_KM} km of the venue are included. `}
          This is a preview with a fixed figure: no alert is sent yet.
        </p>
      </div>
      <div data-row="3">
        <Link href={pageAddress('events')} {...buttonLook({ kind: 'primary' })}>
          View Events Dashboard
        </Link>
        <Link href={pageAddress('routes')} {...buttonLook()}>
          Routes
        </Link>
        <Button onClick={onAnother}>Add Another Event</Button>
        <Button onClick={() => location.assign(invitation(what))}>Invite Team</Button>
      </div>
    </section>
  );
}

/** The name; empty if it has only invisible characters. */
const seen = (name: string) => (VISIBLE.test(name) ? name.trim() : '');

/** An e-mail in the user's own mail program: this page sends nothing. */
function invitation(what: string): string {
  const subject = `Watching ${what} with Clearway`;
  // oxlint-disable-next-line no-restricted-globals -- a mailto address has rules of its own: a space is never +
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`${location.origin}${pageAddress('events')}`)}`;
}
