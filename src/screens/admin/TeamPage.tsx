import { pageAddress } from '#contract/addresses.ts';
import { useActionState, useState } from 'react';
import { Link } from 'wouter';
import { failureText } from '../../api/failureText.ts';
import { ownTeam, type OwnTeam, setShiftStarts, teamDisplays } from '../../api/accounts/teams.ts';
import { useLoad } from '../../api/useLoad.ts';
import { isAdmin, useSession } from '../../session/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Panel } from '../../ui/page/Panel.tsx';
import { AllTeams } from './AllTeams.tsx';
import { DisplayRoutesDialog, nameOf } from './DisplayRoutesDialog.tsx';
import styles from './TeamPage.module.css';

/** /team: the caller's own team; its leads set its shifts and its displays' routes, administrators all teams. */
export function TeamPage() {
  const { reload, ...load } = useLoad(ownTeam, 'Unable to load your team');
  const admin = useSession(isAdmin);

  return (
    <Page
      heading="Team"
      about="Routes, areas and what is done about incidents belong to a team."
      aside={<Link href={pageAddress('routes')}>Routes</Link>}
    >
      <div data-stack="6">
        {load.state === 'loading' && <p role="status">Loading...</p>}
        {load.state === 'failed' && (
          <div>
            <Notice>{load.message}</Notice>
            <Button onClick={() => void reload()}>Try again</Button>
          </div>
        )}
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
  const [result, save, saving] = useActionState(
    async (): Promise<{ failure?: string; saved?: true } | null> => {
      try {
        await setShiftStarts(text.split(/[\s,;]+/).filter(Boolean));
        return { saved: true };
      } catch (error) {
        return { failure: failureText(error, 'Unable to save the shifts') };
      }
    },
    null,
  );

  return (
    <form action={save} className={styles.line} data-row="4" data-align="start">
      <Field
        label="Shifts begin at"
        hint="In order, by London’s clock, such as 06:00, 14:00, 22:00"
        value={text}
        maxLength={120}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" busy={saving}>
        Save shifts
      </Button>
      {result?.failure && !saving && <Notice>{result.failure}</Notice>}
      <p role="status">{result?.saved && !saving && 'Saved.'}</p>
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
      {load.state === 'loading' && <p role="status">Loading...</p>}
      {load.state === 'failed' && <Notice>{load.message}</Notice>}
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
