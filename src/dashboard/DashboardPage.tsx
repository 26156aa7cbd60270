import { docsAddress, pageAddress } from '#contract/addresses.ts';
import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useNavigate } from '../addresses/useAddress.ts';
import { docsTicket } from '../api/account.ts';
import { API_ORIGIN } from '../api/http.ts';
import { useRuntimeConfig } from '../api/runtimeConfig.ts';
import { accessToken } from '../api/tokens.ts';
import { Button, buttonLook } from '../ui/Button.tsx';
import { Figures } from '../ui/Figures.tsx';
import { Flap } from '../ui/Flap.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './DashboardPage.module.css';

/** Fixed, as specified; the sample data of a fresh install has exactly as many. */
const EVENT_COUNT = '3,183';
const CITY_COUNT = '158';

export function DashboardPage() {
  const { contact_email } = useRuntimeConfig();
  const openDocs = useDocs();

  return (
    <Page heading="Dashboard" about="What is on, where, and how to request it by API.">
      <Figures
        figures={[
          { key: 'events', name: 'Events', value: EVENT_COUNT, note: 'in the data set now' },
          {
            key: 'cities',
            name: 'Cities',
            value: CITY_COUNT,
            note: 'towns and cities with at least one event',
          },
        ]}
      />
      <div className={styles.columns}>
        <Panel heading="Quick start">
          <ol className={styles.steps}>
            <Step number={1} heading="Create an API key" about="Free keys allow 1,000 requests a day.">
              <Link href={pageAddress('keys')} {...buttonLook({ kind: 'primary' })}>
                Create an API key
              </Link>
            </Step>
            <Step number={2} heading="View API docs" about="Opens the interactive reference in a new tab.">
              <Button onClick={openDocs}>
                View API docs <ArrowSquareOutIcon weight="bold" aria-hidden />
              </Button>
            </Step>
            <Step
              number={3}
              heading="Make a first request"
              about="Ten events in one town."
              example={
                <>
                  <b>GET</b> /api/v1/events?venue_town=Cardiff&limit=10{'\n'}
                  <i>Authorization: Bearer</i> YOUR_API_KEY
                </>
              }
            />
          </ol>
        </Panel>
        <Panel heading="Resources">
          <ul className={styles.resources}>
            <Resource about="Events near a town or postcode">
              <Link href={pageAddress('map')}>Map View</Link>
            </Resource>
            <Resource about="Rail, roads, aviation, weather, safety">
              <Link href={pageAddress('board')}>Disruptions Board</Link>
            </Resource>
            <Resource about="What touches the roads that your coaches use">
              <Link href={pageAddress('routes')}>Routes</Link>
            </Resource>
            <Resource about="Every call, with examples">
              <button type="button" className={styles.link} onClick={openDocs}>
                API reference
              </button>
            </Resource>
            <Resource about="The events that you watch">
              <Link href={pageAddress('events')}>Events</Link>
            </Resource>
            <Resource about="Alerts about events that you watch">
              <Link href={pageAddress('notifications')}>Notifications</Link>
            </Resource>
            <Resource about="For higher rate limits">
              <a href={`mailto:${contact_email}`}>Contact the team</a>
            </Resource>
          </ul>
        </Panel>
      </div>
    </Page>
  );
}

/** Opens the provider's documentation, which takes a token from its address: a ticket that is good once, or from
 *  servers that have none the stored access token. Without a token it opens the sign-in page. */
function useDocs(): () => void {
  const navigate = useNavigate();
  const open = (token: string) =>
    window.open(API_ORIGIN + docsAddress(token), '_blank', 'noopener,noreferrer');

  return async () => {
    if (!accessToken()) return navigate(pageAddress('login'));
    // A refusal leads to the sign-in page by itself. Where the server cannot be reached, the token of now has to do.
    const ticket = await docsTicket().catch(() => null);
    const token = ticket ?? accessToken();
    if (token) open(token);
  };
}

function Step({
  number,
  heading,
  about,
  example,
  children,
}: {
  number: number;
  heading: string;
  about: string;
  example?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li>
      <span className={styles.number}>
        <Flap value={number} />
      </span>
      <div>
        <h3>{heading}</h3>
        <p>{about}</p>
      </div>
      {children && <div className={styles.act}>{children}</div>}
      {example && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it can scroll sideways
        <pre className={styles.example} data-theme="board" tabIndex={0} aria-label="Example request">
          <code>{example}</code>
        </pre>
      )}
    </li>
  );
}

function Resource({ about, children }: { about: string; children: ReactNode }) {
  return (
    <li>
      {children}
      <p>{about}</p>
    </li>
  );
}
