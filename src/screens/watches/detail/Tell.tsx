import { pageAddress } from '#contract/addresses.ts';
import { TELL_ME, type TellMe, toldFrom } from '#contract/watches/tellMe.ts';
import type { Which } from '#contract/watches/whichIncidents.ts';
import type { When } from '#contract/watches/whenWatched.ts';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import {
  type Channel,
  changeChannel,
  testChannel,
  type ToldMember,
  listChannels,
  toldMembers,
} from '../../../api/watches/channels.ts';
import { useAction } from '../../../api/useAction.ts';
import { changeWatch, tryWatch, type WatchRecord } from '../../../api/watches/oneWatch.ts';
import type { ListedWatch } from '../../../api/watches/watches.ts';
import { Button, buttonLook } from '../../../ui/controls/Button.tsx';
import { FormRow } from '../../../ui/controls/Field.tsx';
import { Check } from '../../../ui/controls/Choice.tsx';
import { counted } from '#contract/numbers.ts';
import { Notice } from '../../../ui/signs/Notice.tsx';
import { SegmentedSwitch } from '../../../ui/controls/SegmentedSwitch.tsx';
import { StatusLine } from '../../../ui/signs/StatusLine.tsx';
import {
  cannotWords,
  channelStatus,
  KIND_WORDS,
  standsWords,
  whatWords,
} from '../../../watches/channels/channelWords.ts';
import { useClock } from '../../../time/tickingClock.ts';
import { HoursFields } from '../HoursFields.tsx';
import styles from './Tell.module.css';
import { useAnswer } from '../../../api/useAnswer.ts';
import { useLoad } from '../../../api/useLoad.ts';
import type { Severity } from '#contract/incidents/severity.ts';
import type { DigestTimes } from '#contract/messages/messages.ts';
import { hoursWords } from '../../../watches/whichWords.ts';

const AddChannel = lazy(() => import('../../../watches/channels/AddChannel.tsx'));

const GRADES = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High and worse' },
  { value: 'medium', label: 'Medium and worse' },
] as const;
const NOTHING = { value: 'nothing', label: 'Nothing' } as const;
const POSSIBLE = [
  { value: 'digest', label: 'In the digest' },
  { value: 'no', label: 'Not at all' },
] as const;

const NOUNS = { route: 'route', area: 'area', feeds: 'feed' } as const;
const RANKS: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** The messages about the watch: who gets them, about which alerts, and when. One sentence says it all and follows
 *  the form. */
export default function Tell({
  watch,
  record,
  told,
  ids,
  isLead,
  offline,
  onChanged,
  onDelete,
}: {
  watch: ListedWatch;
  record: WatchRecord['watch'];
  told: ReturnType<typeof useTold>;
  /** The ids of all the team's routes, areas and feeds. */
  ids: readonly string[];
  isLead: boolean;
  offline: boolean;
  onChanged: () => Promise<void>;
  onDelete: () => void;
}) {
  const [notify, setNotify] = useState<TellMe>(record.notify ?? TELL_ME);
  const [when, setWhen] = useState<When>(record.when);
  /** The channels that were ticked or unticked, until that is saved. */
  const [ticked, setTicked] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [adding, setAdding] = useState(false);
  const { run, isBusy: busy, failure, done } = useAction();
  const known = told.data;
  const channels = known?.channels ?? [];
  const covered = (one: Channel) => ticked.get(one.id) ?? covers(one, watch.id);
  const own = channels.filter(({ is_team }) => !is_team);
  const team = channels.filter(({ is_team }) => is_team);
  const noun = NOUNS[watch.kind];
  const set = (change: Partial<TellMe>) => setNotify({ ...notify, ...change });
  const isLocked = offline || busy;

  const save = () =>
    run(async () => {
      for (const [id, isOn] of ticked) {
        const one = channels.find((channel) => channel.id === id);
        if (one) await changeChannel(id, { watch_ids: withOrWithout(one, watch.id, isOn, ids) });
      }
      const isSame = JSON.stringify([notify, when]) === JSON.stringify([record.notify, record.when]);
      if (!isSame) await changeWatch(watch.id, record.rev ?? 0, { notify, when });
      await Promise.all([told.reload(), onChanged()]);
      setTicked(new Map());
      return 'Saved.';
    }, 'Unable to save this');
  const test = (some: readonly Channel[]) =>
    run(async () => {
      await Promise.all(some.map(({ id }) => testChannel(id)));
      return 'A test is on its way.';
    }, 'Failed to send the test');

  return (
    <div className={styles.tell} data-text="sign">
      <p className={styles.sentence} data-pad="3" role="status">
        {known
          ? tellSentence(toldOf(known.members, channels, covered), notify, when, known.settings.digest)
          : 'Loading...'}
      </p>
      {told.state === 'failed' && <Notice>{told.message}</Notice>}
      {channels
        .filter((one) => covered(one) && one.state !== 'off')
        .map((one) => (
          <Cannot key={one.id} channel={one} />
        ))}
      <FormRow legend="At once" disabled={isLocked}>
        <SegmentedSwitch
          label="At once"
          options={[...gradesWithin(watch.which), NOTHING]}
          value={notify.threshold}
          onChange={(threshold) => set({ threshold })}
        />
        {watch.which.min_severity !== 'low' && (
          <p data-text="note">
            This {noun} lets through {watch.which.min_severity}
            {watch.which.min_severity === 'critical' ? '' : ' and worse'}. Lower grades: change it under Edit.
          </p>
        )}
      </FormRow>
      {watch.kind !== 'feeds' && (
        <FormRow legend="Possible ones" disabled={isLocked}>
          <SegmentedSwitch
            label="Possible ones"
            options={POSSIBLE}
            value={notify.possible}
            onChange={(possible) => set({ possible })}
          />
        </FormRow>
      )}
      <FormRow legend="When" disabled={isLocked}>
        <HoursFields when={when} onChange={setWhen} />
        {watch.departures.length > 0 && (
          <Check
            label="Only around departures (2 h before until arrival)"
            checked={notify.around_departures ?? true}
            onChange={(around_departures) => set({ around_departures })}
          />
        )}
      </FormRow>
      <FormRow legend="Who is told" disabled={isLocked}>
        <ul className={styles.who} aria-label="Members">
          {(known?.members ?? []).map((member) => (
            <Member
              key={member.user_id}
              member={member}
              all={notify.threshold}
              own={own}
              isTold={member.is_you ? own.some(covered) : member.kinds.length > 0}
              onTick={(isOn) => setTicked(new Map([...ticked, ...own.map(({ id }) => [id, isOn] as const)]))}
            />
          ))}
        </ul>
        <ul className={styles.who} aria-label="The team’s channels">
          {team.map((one) => (
            <li key={one.id}>
              <Check
                label={
                  <>
                    <b>{one.name}</b> <span>{KIND_WORDS[one.kind]}, the team’s</span>
                  </>
                }
                checked={covered(one)}
                disabled={!one.can_change}
                onChange={(isOn) => setTicked(new Map([...ticked, [one.id, isOn]]))}
              />
              <p>{whatWords(one.what)}</p>
              <ChannelState channel={one} />
              {one.can_change &&
                (one.state === 'working' ? (
                  <Button small kind="quiet" aria-label={`Test ${one.name}`} onClick={() => void test([one])}>
                    Test
                  </Button>
                ) : (
                  <Link
                    href={pageAddress('messages')}
                    {...buttonLook({ small: true, kind: 'quiet' })}
                    aria-label={`Repair ${one.name}`}
                  >
                    Repair
                  </Link>
                ))}
            </li>
          ))}
        </ul>
        <Button small disabled={isLocked} aria-haspopup="dialog" onClick={() => setAdding(true)}>
          Add a channel
        </Button>
      </FormRow>
      {failure && <Notice>{failure}</Notice>}
      <div className={styles.foot} data-row data-foot>
        <p data-text="line" data-tone="2">
          <Tried id={watch.id} notify={notify} when={when} /> <span role="status">{done}</span>
        </p>
        <Button kind="quiet" disabled={isLocked} onClick={onDelete}>
          Delete
        </Button>
        <Button busy={busy} disabled={offline || own.length === 0} onClick={() => void test(own)}>
          Send me a test
        </Button>
        <Button kind="primary" busy={busy} disabled={offline || !known} onClick={() => void save()}>
          Save
        </Button>
      </div>
      {adding && (
        <Suspense fallback={null}>
          <AddChannel
            hasEmail={known?.has_email ?? false}
            isLead={isLead}
            from={{ id: watch.id, name: watch.name }}
            watches={ids.length}
            onClose={() => setAdding(false)}
            onAdded={told.reload}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The grades on offer: none below the ones that are let through at all. */
const gradesWithin = ({ min_severity }: Which) =>
  GRADES.filter(({ value }) => RANKS.indexOf(value) <= RANKS.indexOf(min_severity));

/** The channel with or without this watch. A channel that gets all watches becomes one that gets all others. */
function withOrWithout(
  { watch_ids }: Channel,
  id: string,
  isOn: boolean,
  all: readonly string[],
): string[] | null {
  if (watch_ids === null) return isOn ? null : all.filter((one) => one !== id);
  const others = watch_ids.filter((one) => one !== id);
  return isOn ? [...others, id] : others;
}

function toldOf(
  members: readonly ToldMember[],
  channels: readonly Channel[],
  covered: (one: Channel) => boolean,
): Told[] {
  const own = channels.filter((one) => !one.is_team && one.state !== 'off' && covered(one));
  return [
    ...members.flatMap(({ display_name, is_you, kinds, threshold }): Told[] => {
      const name = display_name.split(' ')[0]!; // split returns at least one part
      if (is_you)
        return own.length === 0
          ? []
          : [
              {
                name,
                threshold: threshold ?? null,
                alerts: own.some(({ what }) => what.alerts),
                digest: own.some(({ what }) => what.digest),
              },
            ];
      return kinds.length > 0 ? [{ name, threshold: threshold ?? null, alerts: true, digest: true }] : [];
    }),
    ...channels
      .filter((one) => one.is_team && one.state !== 'off' && covered(one))
      .filter(({ what }) => what.alerts || what.digest)
      .map(({ name, what }) => ({ name, threshold: null, alerts: what.alerts, digest: what.digest })),
  ];
}

/** "Travel desk cannot be told since 06:01." */
function Cannot({ channel }: { channel: Channel }) {
  const words = useClock((now) => cannotWords(channel, now));
  if (!words) return null;
  return (
    <p className={styles.cannot}>
      <StatusLine status={channel.state === 'unconfirmed' ? 'minor' : 'severe'}>
        <b>
          {channel.name} {words}.
        </b>{' '}
        {channel.why}{' '}
        <Link href={pageAddress('messages')} data-tap="line">
          See Channels
        </Link>
      </StatusLine>
    </p>
  );
}

function ChannelState({ channel }: { channel: Channel }) {
  const words = useClock((now) => standsWords(channel, now));
  return <StatusLine status={channelStatus(channel)}>{words}</StatusLine>;
}

function Member({
  member: { display_name, is_you, kinds, threshold },
  all,
  own,
  isTold,
  onTick,
}: {
  member: ToldMember;
  /** The grade from which on everybody gets messages. */
  all: TellMe['threshold'];
  own: readonly Channel[];
  isTold: boolean;
  onTick: (isOn: boolean) => void;
}) {
  const ways = (is_you ? own.map(({ kind }) => kind) : kinds).map((kind) => KIND_WORDS[kind]);
  const words = new Intl.ListFormat('en-GB', { type: 'unit' }).format(new Set(ways));
  return (
    <li>
      <Check
        label={
          <>
            <b>{display_name}</b> {is_you && <span>you</span>}
          </>
        }
        checked={isTold}
        disabled={!is_you || own.length === 0}
        onChange={onTick}
      />
      <p>
        {isTold ? words : is_you && own.length === 0 ? 'only in the app' : 'not told'}
        {isTold &&
          threshold &&
          all !== 'nothing' &&
          toldFrom(threshold, all) !== all &&
          ` · ${gradesFrom(threshold)} alone, ${is_you ? 'your' : 'their'} own setting`}
      </p>
      <StatusLine status={isTold ? 'good' : 'off'}>{isTold ? 'On' : 'Off'}</StatusLine>
      {is_you && (
        <Link href={pageAddress('messages')} {...buttonLook({ small: true, kind: 'quiet' })}>
          My settings
        </Link>
      )}
    </li>
  );
}

/** How long the form must rest before the trial is loaded. */
const SETTLE_MS = 500;

/** The messages that the form would have sent. */
function Tried({ id, notify, when }: { id: string; notify: TellMe; when: When }) {
  const { data: found } = useAnswer(
    JSON.stringify({ id, notify, when }),
    (signal) => tryWatch(id, { notify, when }, signal),
    '',
    { settleMs: SETTLE_MS },
  );
  if (!found) return null;
  return (
    <>
      Since 06:00 yesterday:{' '}
      <b data-tone="1">
        {counted(found.at_once, 'alert')} told at once, {found.in_digest} in the digest.
      </b>
    </>
  );
}

/** Whether a channel gets messages about this route, area or feed. */
const covers = ({ watch_ids }: Pick<Channel, 'watch_ids'>, watchId: string): boolean =>
  watch_ids === null || watch_ids.includes(watchId);

const isUsed = ({ state, what }: Channel) => state !== 'off' && Object.values(what).some(Boolean);

/** The receivers of its alerts: the team's members, each by their own channels, and the team's channels. */
export function useTold(watchId: string) {
  const load = useLoad(
    async (signal) => {
      const [channels, members] = await Promise.all([
        listChannels(signal),
        toldMembers({ watch_id: watchId }, signal).catch(() => []),
      ]);
      return { ...channels, members };
    },
    'Unable to load who is told',
    { until: 'answered' },
  );
  const known = load.data;
  const people = known?.members.filter(({ kinds }) => kinds.length > 0).length ?? 0;
  const channels =
    known?.channels.filter((one) => one.is_team && isUsed(one) && covers(one, watchId)).length ?? 0;
  return { ...load, count: known ? people + channels : undefined };
}

export interface Told {
  /** "Rosa", "#ops" */
  name: string;
  /** The grade that is sent at once, by the person's own setting; null: the one that is chosen for all. */
  threshold: Severity | null;
  /** True: they get messages that are sent at once. */
  alerts: boolean;
  /** True: they get the digest. */
  digest: boolean;
}

/** "critical", "high and critical", "medium, high and critical" */
const gradesFrom = (mildest: Severity): string =>
  new Intl.ListFormat('en-GB').format(RANKS.slice(0, RANKS.indexOf(mildest) + 1).toReversed());

const NAMED = 4;

/** "Rosa and #ops", "Rosa, Sam, #ops and 3 more" */
function names(told: readonly Told[]): string {
  const shown = told.length > NAMED ? told.slice(0, NAMED - 1) : told;
  const more = told.length - shown.length;
  return new Intl.ListFormat('en-GB').format([
    ...shown.map(({ name }) => name),
    ...(more > 0 ? [`${more} more`] : []),
  ]);
}

const isOrAre = (told: readonly Told[]) => (told.length === 1 ? 'is' : 'are');

/** "Rosa and #ops are told at once of certain high and critical, Sam of critical, Mon to Fri 06:00–20:00; the rest at
 *  06:00." */
export function tellSentence(
  told: readonly Told[],
  { threshold, possible }: TellMe,
  when: When,
  digestAt: DigestTimes = '06:00',
): string {
  if (told.length === 0 || threshold === 'nothing') return 'Nobody is told: it is only shown here.';
  const inDigest = told.filter(({ digest }) => digest);
  const at = digestAt === 'off' ? '06:00' : digestAt;
  const atOnce = told.filter(({ alerts }) => alerts);
  if (atOnce.length === 0)
    return inDigest.length > 0
      ? `${names(inDigest)} ${isOrAre(inDigest)} told everything at ${at}, and nothing at once.`
      : 'Nobody is told: it is only shown here.';

  const groups = new Map<Severity, Told[]>();
  for (const one of atOnce) {
    const mildest = toldFrom(one.threshold, threshold);
    groups.set(mildest, [...(groups.get(mildest) ?? []), one]);
  }
  const [[mildest, first], ...others] = [...groups].toSorted(
    ([one], [other]) => RANKS.indexOf(other) - RANKS.indexOf(one),
  ) as [[Severity, Told[]], ...[Severity, Told[]][]];
  const rest = others.map(([grade, some]) => `${names(some)} of ${gradesFrom(grade)}`);
  const hours = when === null ? '' : `, ${hoursWords(when)}`;
  const later =
    inDigest.length === 0
      ? 'the rest is only shown here'
      : `the rest at ${at}${possible === 'no' ? ', possible ones not at all' : ''}`;
  return `${[`${names(first)} ${isOrAre(first)} told at once of certain ${gradesFrom(mildest)}`, ...rest].join(', ')}${hours}; ${later}.`;
}
