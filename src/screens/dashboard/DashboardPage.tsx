import { docsAddress, pageAddress } from '#contract/addresses.ts';
import { ArrowSquareOutIcon } from '@phosphor-icons/react/dist/csr/ArrowSquareOut';
import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { Link } from 'wouter';
import { PAGE_TITLES } from '../../device/address/pageTitles.ts';
import { useNavigate } from '../../device/address/useAddress.ts';
import { docsTicket } from '../../api/accounts/account.ts';
import { API_ORIGIN } from '../../api/http.ts';
import { useAction } from '../../api/useAction.ts';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { accessToken } from '../../api/tokens.ts';
import { leaveWayBack, useWayBack } from '../../session/wayBack.ts';
import { Button, buttonLook } from '../../ui/controls/Button.tsx';
import { CopyButton } from '../../ui/controls/CopyButton.tsx';
import { Flap } from '../../ui/signs/Flap.tsx';
import { Figures, Page, Panel } from '../../ui/page/Page.tsx';
import styles from './DashboardPage.module.css';

/** Fixed, as specified; the sample data of a fresh install has exactly as many. */
const EVENT_COUNT = '3,183';
const CITY_COUNT = '158';

const AffectedNow = lazy(() => import('./AffectedNow.tsx'));
const Unsent = lazy(async () => ({ default: (await import('../../shift/Unsent.tsx')).Unsent }));

/** One line in double quotes, which every shell understands, including those of Windows. */
const EXAMPLE = {
  address: `"${API_ORIGIN}/api/v1/events?venue_town=Cardiff&limit=10"`,
  header: '"Authorization: Bearer YOUR_API_KEY"',
};

export function DashboardPage() {
  const { contact_email } = useRuntimeConfig();
  const openDocs = useDocs();
  const example = useRef<HTMLPreElement>(null);

  return (
    <Page
      heading="Dashboard"
      about="What is on, where, and how to request it by API."
      aside={<BackToPlace />}
    >
      <Suspense fallback={null}>
        <div className={styles.waits}>
          <Unsent />
        </div>
        <AffectedNow />
      </Suspense>
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
      <div className={styles.columns} data-columns="60" data-align="start">
        <Panel heading="Quick start">
          <ol className={styles.steps} data-ruled>
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
              about="Ten events in one town. In a terminal: put your API key in place of YOUR_API_KEY."
              example={
                <pre ref={example} className={styles.example} data-theme="board" aria-label="Example request">
                  <code>
                    <b>curl</b> {EXAMPLE.address} -H {EXAMPLE.header}
                  </code>
                </pre>
              }
            >
              <CopyButton
                text={`curl ${EXAMPLE.address} -H ${EXAMPLE.header}`}
                from={example}
                about="the example request"
              />
            </Step>
          </ol>
        </Panel>
        <Panel heading="Resources">
          <ul className={styles.resources} data-ruled>
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

/** Offers the page where the same person was when their session ended. */
function BackToPlace() {
  const place = useWayBack((way) => way.place);
  if (!place) return null;
  return (
    <Link href={place.path} onClick={leaveWayBack} {...buttonLook({ kind: 'primary' })}>
      Back to {PAGE_TITLES[place.page]}
    </Link>
  );
}

/** Opens the provider's documentation, which takes a token from its address: a ticket that can be used once or, for
 *  servers without tickets, the stored access token. Without a token it opens the sign-in page. */
function useDocs(): () => void {
  const navigate = useNavigate();
  const { run } = useAction();
  const open = (token: string) =>
    window.open(API_ORIGIN + docsAddress(token), '_blank', 'noopener,noreferrer');

  const show = async () => {
    if (!accessToken()) return navigate(pageAddress('login'));
    // A refusal leads to the sign-in page anyway. If the server cannot be reached, the current token must do.
    const ticket = await docsTicket().catch(() => null);
    const token = ticket ?? accessToken();
    if (token) open(token);
  };
  return () => void run(show, '');
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
      <span data-size="h2">
        <Flap value={number} />
      </span>
      <div>
        <h3>{heading}</h3>
        <p data-tone="2">{about}</p>
      </div>
      {children && <div className={styles.act}>{children}</div>}
      {example}
    </li>
  );
}

function Resource({ about, children }: { about: string; children: ReactNode }) {
  return (
    <li>
      {children}
      <p data-tone="3">{about}</p>
    </li>
  );
}
