import { useState } from 'react';
import { listAuditEntries } from '../../api/accounts/admin.ts';
import { useLoad } from '../../api/useLoad.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { LoadState, Panel } from '../../ui/page/Page.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { formatDateTime } from '../../time/london.ts';
import styles from './UsersPage.module.css';

/** Actions of administrators and the operator, newest first. Loaded only when it is opened. */
export function AuditTrail() {
  const [shown, setShown] = useState(false);

  return (
    <div className={styles.trail} data-top="6">
      <Panel
        heading="Audit trail"
        aside={
          <Button small aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </Button>
        }
      >
        {shown ? (
          <Entries />
        ) : (
          <p>
            Who changed which account, key or display, and when; and events that concern the safety of an
            account.
          </p>
        )}
      </Panel>
    </div>
  );
}

function Entries() {
  const load = useLoad(listAuditEntries, 'Unable to load the audit trail');
  if (load.state !== 'ready') return <LoadState load={load} />;

  return (
    <Table
      label="Audit trail"
      empty="No changes yet."
      rows={load.data}
      keyOf={({ id }) => id}
      columns={{
        When: ({ at }) => at && formatDateTime(at),
        Who: ({ actor }) => <bdi>{actor}</bdi>,
        What: ({ action }) => action && (ACTIONS[action] ?? action),
        Subject: ({ subject }) => <bdi>{subject}</bdi>,
        Detail: ({ detail }) => detail,
      }}
    />
  );
}

const ACTIONS: Readonly<Record<string, string>> = {
  'user.created': 'User created',
  'source.turned_off': 'Source turned off',
  'source.turned_on': 'Source turned on',
  'source.demoted': 'Source demoted to possible',
  'source.restored': 'Source restored',
  'user.role_changed': 'Role changed',
  'user.enabled': 'User enabled',
  'user.disabled': 'User disabled',
  'user.deleted': 'User deleted',
  'user.password_reset': 'Password reset',
  'user.password_changed': 'Own password changed',
  'user.signed_out': 'Signed out everywhere',
  'second_factor.set_up': 'Second factor set up',
  'second_factor.removed': 'Second factor turned off',
  'second_factor.codes_renewed': 'Recovery codes renewed',
  'second_factor.recovery_used': 'Signed in with a recovery code',
  'second_factor.reset': 'Second factor reset',
  'session.token_reused': 'A token was used twice: signed out',
  'key.created': 'API key created',
  'key.deleted': 'API key deleted',
  'key.tier_changed': 'Key tier changed',
  'display.approved': 'Display paired',
  'display.denied': 'Display denied',
  'display.renewed': 'Display approved for another year',
  'display.token_reused': 'A token of a display was used twice: unpaired',
  'display.renamed': 'Display renamed',
  'display.given': 'Display moved to another account',
  'display.revoked': 'Display revoked',
  'display.blanked': 'Display revoked and blanked',
};
