import { pageAddress } from '#contract/addresses.ts';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  ownTeam,
  type OwnTeam,
  setShiftStarts,
  teamDisplays,
  createTeam,
  deleteTeam,
  type ListedTeam,
  listTeams,
  putMember,
  renameTeam,
} from '../../api/accounts/teams.ts';
import { useLoad } from '../../api/useLoad.ts';
import { isAdmin, useSession } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { bound, Field, optionsOf } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Page, Panel, LoadState } from '../../ui/page/Page.tsx';
import { DisplayRoutesDialog, nameOf } from './DisplayRoutesDialog.tsx';
import styles from './TeamPage.module.css';
import type { TeamRole } from '#contract/accounts/teams.ts';
import { useAction, useSubmit } from '../../api/useAction.ts';
import { Confirm } from '../../ui/dialogs/Dialog.tsx';
import { counted } from '#contract/numbers.ts';

/** /team: the caller's own team. Its leads set its shifts and its displays' routes; administrators manage all teams. */
export function TeamPage() {
  const { reload, ...load } = useLoad(ownTeam, 'Unable to load your team');
  const admin = useSession(isAdmin);

  return (
    <Page
      heading="Team"
      about="Routes, areas, and marks and notes on alerts belong to a team."
      aside={<Link href={pageAddress('routes')}>Routes</Link>}
    >
      <div data-stack="6">
        <LoadState load={load} again={reload} />
        {load.state === 'ready' && <Own team={load.data} isLead={admin || load.data.role === 'lead'} />}
        {admin && <AllTeams onChanged={reload} />}
      </div>
    </Page>
  );
}

function Own({ team, isLead }: { team: OwnTeam; isLead: boolean }) {
  return (
    <>
      <Panel heading={team.name ?? 'Your team'}>
        <p>
          {team.role === 'lead'
            ? 'You are a lead of this team.'
            : isLead
              ? 'You are in this team, and an administrator.'
              : 'You are a member of this team. Its leads set its shifts.'}
        </p>
        {isLead ? <Shifts team={team} /> : <p>Shifts begin at {team.shift_starts.join(', ')}.</p>}
      </Panel>
      {isLead && <Displays />}
    </>
  );
}

function Shifts({ team }: { team: OwnTeam }) {
  const [text, setText] = useState(team.shift_starts.join(', '));
  const { action, isBusy, failure, done } = useSubmit(async () => {
    await setShiftStarts(text.split(/[\s,;]+/).filter(Boolean));
    return { done: 'Saved.' };
  }, 'Unable to save the shifts');

  return (
    <form action={action} className={styles.line} data-top="3" data-row="4" data-align="start">
      <Field
        label="Shifts begin at"
        hint="In order, by London’s clock, such as 06:00, 14:00, 22:00"
        {...bound(text, setText)}
        maxLength={120}
        autoComplete="off"
      />
      <Button type="submit" busy={isBusy}>
        Save shifts
      </Button>
      {failure && <Notice>{failure}</Notice>}
      <p role="status">{done}</p>
    </form>
  );
}

function Displays() {
  const load = useLoad(teamDisplays, 'Unable to load displays');
  const [asked, setAsked] = useState<string | null>(null);
  const displays = load.state === 'ready' ? load.data : [];
  const about = displays.find(({ id }) => id === asked);

  return (
    <Panel
      heading="Routes on your displays"
      aside={<Link href={pageAddress('layouts')}>Layouts and messages</Link>}
    >
      <LoadState load={load} />
      {load.state === 'ready' && displays.length === 0 && (
        <p>
          No display is paired by your team. <Link href={pageAddress('pair')}>Pair a display</Link>
        </p>
      )}
      <ul className={styles.list} data-list aria-label="Displays">
        {displays.map((display) => (
          <li key={display.id} data-split>
            <b>
              <bdi>{nameOf({ name: display.name ?? '' })}</bdi>
            </b>
            <Button small onClick={() => setAsked(display.id)}>
              Choose routes
            </Button>
          </li>
        ))}
      </ul>
      {about && (
        <DisplayRoutesDialog
          display={{ id: about.id, name: about.name ?? '' }}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

/** Every team and its members, for administrators. They see nothing else of a team. */
function AllTeams({ onChanged }: { onChanged: () => Promise<void> }) {
  const { reload, ...load } = useLoad(listTeams, 'Unable to load the teams');
  const { run, isBusy: busy, failure, clear } = useAction();
  const [deleting, setDeleting] = useState<ListedTeam | null>(null);
  const teams = load.state === 'ready' ? load.data.teams : [];
  const isMany = load.state === 'ready' && load.data.mode === 'many';

  const act = (doIt: () => Promise<unknown>, otherwise: string) =>
    run(async () => {
      await doIt();
      await Promise.all([reload(), onChanged()]);
    }, otherwise);

  return (
    <Panel heading="All teams" aside={load.state === 'ready' && <p>{counted(teams.length, 'team')}</p>}>
      <LoadState load={load} />
      {load.state === 'ready' && !isMany && (
        <p>Everybody on this server is one team. The operator can allow more with TEAMS=many.</p>
      )}
      {failure && !deleting && <Notice>{failure}</Notice>}
      {teams.map((team) => (
        <div key={team.id} className={styles.team} role="group" aria-label={`Team ${team.name}`}>
          <h3>
            <bdi>{team.name}</bdi> <small>{counted(team.members.length, 'member')}</small>
          </h3>
          <ul className={styles.list} aria-label={`Members of ${team.name}`}>
            {team.members.map((member) => (
              <MemberRow
                key={member.user_id}
                member={member}
                team={team}
                teams={isMany ? teams : [team]}
                busy={busy}
                onPut={(teamId, role) =>
                  void act(() => putMember(teamId, member.user_id, role), 'Unable to change the team')
                }
              />
            ))}
          </ul>
          <NameForm
            label="Name"
            act="Rename"
            start={team.name}
            busy={busy}
            onName={(name) => act(() => renameTeam(team.id, name), 'Unable to rename the team')}
          />
          {isMany && (
            <p>
              <Button
                small
                kind="danger"
                busy={busy}
                onClick={() => {
                  clear();
                  setDeleting(team);
                }}
              >
                Delete this team
              </Button>
            </p>
          )}
        </div>
      ))}
      {isMany && (
        <NameForm
          label="New team"
          act="Create team"
          start=""
          busy={busy}
          onName={(name) => act(() => createTeam(name), 'Unable to create the team')}
        />
      )}
      {deleting && (
        <Confirm
          heading="Delete team"
          act="Delete"
          busy={busy}
          failure={failure}
          onAct={() =>
            void (async () => {
              const { id } = deleting;
              if (await act(() => deleteTeam(id), 'Unable to delete the team')) setDeleting(null);
            })()
          }
          onCancel={() => {
            clear();
            setDeleting(null);
          }}
        >
          <p>
            Delete {deleting.name}, with all its routes, areas and notes? Each of its members is a team of
            their own from then on.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}

function MemberRow({
  member: { display_name, email, role },
  team,
  teams,
  busy,
  onPut,
}: {
  member: ListedTeam['members'][number];
  team: ListedTeam;
  /** The teams that the person can move to. */
  teams: readonly ListedTeam[];
  busy: boolean;
  onPut: (teamId: string, role: TeamRole) => void;
}) {
  const who = display_name || email || '';
  /** The choice that was made, until the list has it. */
  const [wanted, setWanted] = useState({ teamId: team.id, role: role ?? 'member' });
  const shown = busy ? wanted : { teamId: team.id, role: role ?? 'member' };
  const put = (teamId: string, to: TeamRole) => {
    setWanted({ teamId, role: to });
    onPut(teamId, to);
  };
  return (
    <li data-split>
      <span>
        <b>
          <bdi>{who}</bdi>
        </b>{' '}
        {email}
      </span>
      <span data-row>
        {teams.length > 1 && (
          <select
            aria-label={`Team of ${who}`}
            {...bound(shown.teamId, (value) => !busy && put(value, 'member'))}
            aria-disabled={busy}
          >
            {optionsOf(teams.map(({ id, name }) => [id, name]))}
          </select>
        )}
        <select
          aria-label={`Role of ${who}`}
          {...bound(shown.role, (value) => !busy && put(team.id, value === 'lead' ? 'lead' : 'member'))}
          aria-disabled={busy}
        >
          <option value="member">Member</option>
          <option value="lead">Lead</option>
        </select>
      </span>
    </li>
  );
}

function NameForm({
  label,
  act,
  start,
  busy,
  onName,
}: {
  label: string;
  act: string;
  start: string;
  busy: boolean;
  onName: (name: string) => Promise<boolean>;
}) {
  const [name, setName] = useState(start);
  const { action } = useSubmit(async () => {
    if ((await onName(name.trim())) && start === '') setName((now) => (now === name ? '' : now));
  }, '');

  return (
    <form action={action} className={styles.line} data-top="3" data-row="4" data-align="start">
      <Field label={label} {...bound(name, setName)} maxLength={80} required autoComplete="off" />
      <Button type="submit" busy={busy} disabled={name.trim() === '' || name === start}>
        {act}
      </Button>
    </form>
  );
}
