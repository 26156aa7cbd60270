import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { dayAfter } from '#contract/watches/departures.ts';
import { capital } from '#contract/incidents/titleForms.ts';
import { london, londonDay } from '#contract/london.ts';
import type { BriefAsked } from '#contract/messages/briefs.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import {
  addBrief,
  type Brief,
  changeBrief,
  listBriefs,
  removeBrief,
  sendBrief,
} from '../../api/watches/briefs.ts';
import { type Channel, listChannels, type ToldMember, toldMembers } from '../../api/watches/channels.ts';
import { listWatches } from '../../api/watches/watches.ts';
import { useNavigate } from '../../device/address/useAddress.ts';
import { formatClock } from '../../time/london.ts';
import { useClock } from '../../time/tickingClock.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { bound, Field, FormRow, ToolField } from '../../ui/controls/Field.tsx';
import { SegmentedChecks, SegmentedSwitch } from '../../ui/controls/SegmentedSwitch.tsx';
import { Check } from '../../ui/controls/Choice.tsx';
import { ListAndPane } from '../../ui/page/ListAndPane.tsx';
import { Loading, ToolPage } from '../../ui/page/Page.tsx';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '#contract/numbers.ts';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { useHere } from '../../ui/useHere.ts';
import { channelStatus, KIND_WORDS } from '../../watches/channels/channelWords.ts';
import { DAY_NAMES, daysWords } from '../../watches/routeWords.ts';
import styles from './BriefsPage.module.css';

const NEW: BriefAsked = {
  name: 'Morning brief',
  days: 127,
  times: ['06:00'],
  about: 'jobs',
  watch_ids: null,
  horizon: 'today',
  user_ids: null,
  channel_ids: [],
};

/** `/briefs`: who gets a brief, when and about what; and all briefs as they were sent. */
export function BriefsPage() {
  const { reload, ...list } = useLoad(listBriefs, 'Unable to load the briefs', { until: 'answered' });
  const all = list.data;
  const failure = list.state === 'failed' ? list.message : null;
  const [chosen, setChosen] = useState<string | null>(null);
  const open = all?.find(({ id }) => id === chosen) ?? (chosen === 'new' ? undefined : all?.[0]);
  const kept = (all ?? [])
    .flatMap((brief) => brief.sent.map((sent) => ({ ...sent, brief })))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));

  return (
    <ToolPage
      header={
        <>
          <div>
            <h1>Briefs</h1>
            <p data-text="line" data-tone="2">
              One page, before the day begins. <Link href={pageAddress('messages')}>Messages</Link>
            </p>
          </div>
          <Button kind="primary" onClick={() => setChosen('new')}>
            New brief
          </Button>
        </>
      }
    >
      {!all ? (
        failure ? (
          <Notice>{failure}</Notice>
        ) : (
          <Loading data-gutter />
        )
      ) : (
        <ListAndPane
          wide
          both
          label="Briefs, and when they were sent"
          list={
            <>
              <ul className={styles.list} aria-label="Briefs">
                {all.map((brief) => (
                  <li key={brief.id}>
                    <button
                      type="button"
                      aria-current={brief.id === open?.id ? 'true' : undefined}
                      onClick={() => setChosen(brief.id)}
                    >
                      <b data-text="lead">{brief.name}</b>
                      <span className={styles.when}>{brief.times.join(', ')}</span>
                      <span>
                        {[capital(daysWords(brief.days)), aboutWords(brief), gets(brief)].join(' · ')}
                      </span>
                      <span>
                        <LastSent sent={brief.sent} />
                      </span>
                    </button>
                  </li>
                ))}
                {all.length === 0 && (
                  <li data-pad="4" data-gutter data-text="line" data-tone="2">
                    No brief yet.
                  </li>
                )}
              </ul>
              {kept.length > 0 && (
                <section className={styles.kept} aria-label="Kept">
                  <h2>Kept</h2>
                  <ul data-list>
                    {kept.map(({ at, subject, brief }) => (
                      <li key={`${brief.id} ${at}`}>
                        <Link href={pageAddressOf('brief', `${brief.id}/${at}`)}>
                          <time data-tone="2" data-figures>
                            {shortTime(at)}
                          </time>
                          <span>{subject ? headlineOf(subject) : 'Skipped: too late by then'}</span>
                        </Link>
                      </li>
                    ))}
                  </ul>
                </section>
              )}
            </>
          }
        >
          <BriefForm
            key={`${open?.id ?? 'new'} ${open?.rev ?? 0}`}
            brief={open ?? null}
            onSaved={async (id) => {
              await reload();
              setChosen(id);
            }}
          />
        </ListAndPane>
      )}
    </ToolPage>
  );
}

const HORIZONS = { today: 'Today', tomorrow: 'Tomorrow', week: '7 days' } as const;
const WEEKDAY = london({ weekday: 'short' });
const DAY = london({ weekday: 'long', day: 'numeric', month: 'long' });
const shortTime = (at: string) => `${WEEKDAY.format(new Date(at))} ${formatClock(at)}`;

/** The subject without its time, which is shown beside it. */
const headlineOf = (subject: string) => subject.replace(/ · \d\d:\d\d$/, '');

function LastSent({ sent: [last] }: Pick<Brief, 'sent'>) {
  if (!last) return 'Not sent yet';
  return (
    <>
      {last.subject ? 'Sent' : 'Skipped'} {shortTime(last.at)}:{' '}
      <b>{last.subject ? headlineOf(last.subject) : 'too late by then'}</b>
    </>
  );
}

/** "today’s jobs", "routes and areas, 7 days" */
const aboutWords = ({ about, horizon }: Pick<Brief, 'about' | 'horizon'>): string => {
  const days = HORIZONS[horizon].toLowerCase();
  if (about === 'feeds') return `all feeds, ${days}`;
  if (about === 'routes') return `routes and areas, ${days}`;
  return horizon === 'week' ? `jobs of ${days}` : `${days}’s jobs`;
};

const gets = ({ user_ids, channel_ids }: Pick<Brief, 'user_ids' | 'channel_ids'>): string => {
  const people = user_ids === null ? 'everybody' : counted(user_ids.length, 'member');
  const addresses = channel_ids.length === 1 ? '1 address' : `${channel_ids.length} addresses`;
  return channel_ids.length === 0 ? people : `${people} and ${addresses}`;
};

function BriefForm({
  brief,
  onSaved,
}: {
  brief: Brief | null;
  onSaved: (id: string | null) => Promise<void>;
}) {
  const navigate = useNavigate();
  const isHere = useHere();
  const [asked, setAsked] = useState<BriefAsked>(brief ?? NEW);
  const [deleting, setDeleting] = useState(false);
  const channels = useLoad(listChannels, 'Unable to load the channels');
  const routes = useLoad((signal) => listWatches(signal), 'Unable to load the routes');
  const watches = routes.data?.data.watches ?? [];
  const members = useLoad(
    (signal) => toldMembers(brief ? { brief_id: brief.id } : {}, signal),
    'Unable to load the members',
  );
  const people = members.data ?? [];
  const ids = people.map(({ user_id }) => user_id);
  const isChosen = (id: string) => asked.user_ids?.includes(id) ?? true;
  const isOfAll = asked.user_ids === null && (people.length === 0 || people.length > PEOPLE_SHOWN);
  const ways = (channels.data?.channels ?? []).filter(({ kind }) => kind !== 'device');
  const next = useClock((now) => nextWords(asked, now));
  const set = (change: Partial<BriefAsked>) => setAsked({ ...asked, ...change });
  const toggled = (ids: readonly string[], id: string) =>
    ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
  /** The people, unless one line stands for all of them, and the addresses. */
  const receivers = [
    ...(isOfAll ? [] : people).map((one) => ({
      id: one.user_id,
      name: one.display_name,
      what: one.is_you && 'you',
      status: 'good' as const,
      words: waysOf(one),
      gets: isChosen(one.user_id),
      // Without former members.
      toggle: () => set({ user_ids: toggled(ids.filter(isChosen), one.user_id) }),
    })),
    ...ways.map((way) => ({
      id: way.id,
      name: way.name,
      what: KIND_WORDS[way.kind],
      status: channelStatus(way),
      words: STATE_WORDS[way.state],
      gets: asked.channel_ids.includes(way.id),
      toggle: () => set({ channel_ids: toggled(asked.channel_ids, way.id) }),
    })),
  ];
  const {
    action: save,
    isBusy: isSaving,
    failure,
  } = useSubmit(async () => {
    const { name, days, times, about, watch_ids, horizon, user_ids, channel_ids } = asked;
    const json = {
      name,
      days,
      times: times.filter(Boolean),
      about,
      watch_ids: about === 'feeds' ? null : watch_ids,
      horizon,
      user_ids,
      channel_ids,
    };
    if (days === 0) return 'Choose at least one day.';
    if (json.watch_ids?.length === 0) return 'Choose at least one route or area.';
    if (brief) await changeBrief(brief.id, brief.rev, json);
    return onSaved(brief ? brief.id : await addBrief(json));
  }, 'Unable to save the brief');
  const { run, isBusy, failure: undone } = useAction();
  const send = (id: string) =>
    run(async () => {
      const page = await sendBrief(id);
      if (isHere()) navigate(pageAddressOf('brief', `${page.id}/${page.at}`));
    }, 'Unable to send the brief');
  const remove = (id: string) =>
    run(async () => {
      await removeBrief(id);
      setDeleting(false);
      await onSaved(null);
    }, 'Unable to delete the brief');

  return (
    <form className={styles.form} action={save}>
      <h2>{brief ? brief.name : 'New brief'}</h2>
      <Field label="Name" required maxLength={80} {...bound(asked.name, (name) => set({ name }))} />
      <FormRow legend="About">
        <SegmentedSwitch
          label="About"
          options={[
            { value: 'jobs', label: 'Jobs' },
            { value: 'routes', label: 'Routes and areas' },
            { value: 'feeds', label: 'All feeds' },
          ]}
          value={asked.about}
          onChange={(about: BriefAsked['about']) => set({ about })}
        />
        {asked.about !== 'feeds' && (
          <Check
            label="All of the team"
            checked={asked.watch_ids === null}
            onChange={(all) => set({ watch_ids: all ? null : [] })}
          />
        )}
        {asked.about !== 'feeds' &&
          asked.watch_ids !== null &&
          watches.map((watch) => (
            <Check
              key={watch.id}
              label={watch.name}
              checked={asked.watch_ids!.includes(watch.id)} // not null here
              onChange={() => set({ watch_ids: toggled(asked.watch_ids ?? [], watch.id) })}
            />
          ))}
      </FormRow>
      <FormRow legend="Horizon">
        <SegmentedSwitch
          label="Horizon"
          options={(['today', 'tomorrow', 'week'] as const).map((value) => ({
            value,
            label: HORIZONS[value],
          }))}
          value={asked.horizon}
          onChange={(horizon: BriefAsked['horizon']) => set({ horizon })}
        />
      </FormRow>
      <FormRow legend="When">
        <div data-row="3">
          <SegmentedChecks
            label="Days"
            options={DAY_NAMES}
            value={asked.days}
            onChange={(days) => set({ days })}
          />
          {asked.times.map((time, index) => (
            <ToolField
              // oxlint-disable-next-line react/no-array-index-key -- a time is known only by its place in the list
              key={index}
              label="At"
            >
              <input
                type="time"
                required={index === 0}
                {...bound(time, (value) => set({ times: asked.times.with(index, value) }))}
              />
            </ToolField>
          ))}
          {asked.times.length < 6 && (
            <Button small onClick={() => set({ times: [...asked.times, '14:00'] })}>
              Add a time
            </Button>
          )}
        </div>
        <p data-text="note">London time.{next && ` Next: ${next}.`}</p>
      </FormRow>
      <FormRow legend="Who gets it">
        <ul className={styles.who} data-list data-text="line" aria-label="Who gets it">
          {isOfAll && (
            <li>
              <b>Everybody in the team</b>
              <StatusLine status="good">In the app</StatusLine>
              {people.length > 0 && (
                <Button kind="quiet" onClick={() => set({ user_ids: ids })}>
                  Choose
                </Button>
              )}
            </li>
          )}
          {receivers.map(
            ({ id, name, what, status, words, gets, toggle }) =>
              gets && (
                <li key={id}>
                  <span>
                    <b>{name}</b> {what && <span data-tone="2">{what}</span>}
                  </span>
                  <StatusLine status={status}>{words}</StatusLine>
                  <Button kind="quiet" aria-label={`Remove ${name}`} onClick={toggle}>
                    Remove
                  </Button>
                </li>
              ),
          )}
        </ul>
        {receivers.some(({ gets }) => !gets) && (
          <p data-row>
            {receivers.map(
              ({ id, name, gets, toggle }) =>
                !gets && (
                  <Button key={id} small onClick={toggle}>
                    Add {name}
                  </Button>
                ),
            )}
          </p>
        )}
        <p data-text="note">
          E-mail addresses and webhooks are added and confirmed under{' '}
          <Link href={pageAddress('messages')}>Messages</Link>. One that is not confirmed gets nothing.
        </p>
      </FormRow>
      {!deleting && (failure ?? undone) && !isSaving && <Notice>{failure ?? undone}</Notice>}
      <div className={styles.foot} data-row data-foot>
        <p data-text="line" data-tone="2">
          Sent on a quiet day too.
        </p>
        {brief && (
          <>
            <Button kind="quiet" onClick={() => setDeleting(true)}>
              Delete
            </Button>
            <Button busy={isBusy} onClick={() => void send(brief.id)}>
              Send one to me now
            </Button>
          </>
        )}
        <Button kind="primary" type="submit" busy={isSaving}>
          Save
        </Button>
      </div>
      {deleting && brief && (
        <Confirm
          heading={`Delete “${brief.name}”?`}
          act="Delete"
          busy={isBusy}
          failure={undone}
          onCancel={() => setDeleting(false)}
          onAct={() => void remove(brief.id)}
        >
          <p>The pages that it sent are deleted as well.</p>
        </Confirm>
      )}
    </form>
  );
}

/** In a larger team everybody is one line, until somebody is chosen. */
const PEOPLE_SHOWN = 20;

/** "E-mail, in the app" */
const waysOf = ({ kinds }: ToldMember): string =>
  capital([...kinds.map((kind) => KIND_WORDS[kind]), 'in the app'].join(', '));

const STATE_WORDS: Readonly<Record<Channel['state'], string>> = {
  working: 'Confirmed',
  unconfirmed: 'Not confirmed',
  failing: 'Not reached',
  off: 'Off',
};

/** "Wednesday 25 November, 06:00"; '' without a day or a time. */
function nextWords({ days, times }: Pick<BriefAsked, 'days' | 'times'>, now: Date): string {
  const today = londonDay(now);
  const clock = formatClock(now);
  const at = Array.from({ length: 8 }, (_, ahead) => dayAfter(today, ahead)).flatMap((day) =>
    (days & (1 << ((new Date(day).getUTCDay() + 6) % 7))) === 0
      ? []
      : times
          .filter((time) => time !== '' && (day > today || time > clock))
          .toSorted()
          .map((time) => `${DAY.format(new Date(`${day}T12:00:00Z`)).replace(',', '')}, ${time}`),
  );
  return at[0] ?? '';
}
