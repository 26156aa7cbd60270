import { useRef } from 'react';
import {
  type AccountSession,
  endOtherSessions,
  endSession,
  listSessions,
} from '../../api/accounts/account.ts';
import { useAction } from '../../api/useAction.ts';
import { useLoad } from '../../api/useLoad.ts';
import { TimeAgo } from '../../time/TimeAgo.tsx';
import { formatDate } from '../../time/london.ts';
import { Badge } from '../../ui/signs/Badge.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { counted } from '../../ui/numbers.ts';
import { Panel } from '../../ui/page/Panel.tsx';
import { Table } from '../../ui/page/Table.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx';
import styles from './AccountPage.module.css';

/** Where one is signed in: browsers, and the displays that one has approved. Each can be ended. */
export function SessionsPanel() {
  const load = useLoad(listSessions, 'Unable to load your sessions');
  const { run, isBusy: busy, failure, done } = useAction();
  const place = useRef<HTMLDivElement>(null);
  const rows = 'data' in load ? load.data : undefined;

  const act = (doIt: () => Promise<string>) =>
    run(async () => {
      const words = await doIt();
      await load.reload();
      // The button disappears with its row; who went on elsewhere meanwhile stays there.
      if (hasFocusOf(place.current)) place.current?.focus();
      return words;
    }, 'Unable to end the session');
  const others = rows?.some((row) => row.kind !== 'display' && !row.current);

  return (
    <div ref={place} tabIndex={-1} className={styles.sessions}>
      <Panel
        heading="Where you are signed in"
        aside={
          others && (
            <Button
              small
              busy={busy}
              onClick={() =>
                void act(async () => `${counted(await endOtherSessions(), 'other browser')} signed out.`)
              }
            >
              Sign out everywhere else
            </Button>
          )
        }
      >
        {load.state === 'loading' && <p role="status">Loading...</p>}
        {load.state === 'failed' && <Notice>{load.message}</Notice>}
        {failure && <Notice>{failure}</Notice>}
        <p role="status" className={styles.done}>
          {done}
        </p>
        {rows && rows.length > 0 && (
          <Table
            label="Where you are signed in"
            head={
              <>
                {['Browser or display', 'Network', 'Last used', 'Ends'].map((heading) => (
                  <th key={heading}>{heading}</th>
                ))}
                <th>
                  <VisuallyHidden>Actions</VisuallyHidden>
                </th>
              </>
            }
          >
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row">
                  <bdi>{nameOf(row)}</bdi>
                  {row.kind === 'display' && <span className={styles.about}>Display, {row.browser}</span>}
                  {row.current && (
                    <span className={styles.current}>
                      <Badge state="on">This browser</Badge>
                    </span>
                  )}
                </th>
                <td data-th="Network">{row.network ? <bdi>{row.network}</bdi> : '–'}</td>
                <td data-th="Last used">
                  {row.last_used_at ? <TimeAgo at={row.last_used_at} dated /> : '–'}
                </td>
                <td data-th="Ends">{row.ends_at ? formatDate(row.ends_at) : '–'}</td>
                <td data-th="">
                  {!row.current && (
                    <Button
                      small
                      kind="danger"
                      busy={busy}
                      onClick={() =>
                        void act(async () => {
                          await endSession(row.id);
                          return `${nameOf(row)} was signed out.`;
                        })
                      }
                    >
                      {row.kind === 'display' ? 'Unpair' : 'Sign out'}{' '}
                      <VisuallyHidden>
                        <bdi>{nameOf(row)}</bdi>
                      </VisuallyHidden>
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Panel>
    </div>
  );
}

/** Nothing else on the page has the focus. */
const hasFocusOf = (place: HTMLElement | null) =>
  document.activeElement === document.body || place?.contains(document.activeElement);

const nameOf = ({ kind, name, browser }: AccountSession) =>
  (kind === 'display' ? name : browser) || 'Another program';
