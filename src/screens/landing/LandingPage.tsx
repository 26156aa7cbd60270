import { pageAddress } from '#contract/addresses.ts';
import { ArrowRightIcon } from '@phosphor-icons/react/dist/csr/ArrowRight';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRuntimeConfig } from '../../api/runtimeConfig.ts';
import { useSession } from '../../session/session.ts';
import { Brand } from '../../ui/page/Brand.tsx';
import { buttonLook } from '../../ui/controls/Button.tsx';
import { DiversionSign } from '../../ui/signs/DiversionSign.tsx';
import { Flap } from '../../ui/signs/Flap.tsx';
import { ModePlate } from '../../ui/signs/ModePlate.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { SkipLink } from '../../ui/page/SkipLink.tsx';
import styles from './LandingPage.module.css';

/** The product in short, for visitors who do not have it yet. */
export function LandingPage() {
  const { contact_email } = useRuntimeConfig();

  return (
    <>
      <SkipLink />
      <div className={styles.top} data-tone="1" data-theme="board">
        <TopBar />
        <section id="main" className={styles.hero} aria-labelledby="promise" tabIndex={-1}>
          <div className={styles.promise} data-stack="6">
            <h1 id="promise">Know before the coach leaves.</h1>
            <div data-only="wide">
              <DiversionSign />
            </div>
          </div>
          <div className={styles.offer} data-top="6" data-stack="5">
            <p data-tone="2" data-size="h3">
              Every UK event that fills a road, and every incident that closes one. One live board, one map,
              one API, for coach operators, airport transfers and travel managers.
            </p>
            <p data-row="3" data-tone="2">
              <StartTrial kind="sign" />
              <span>14 days. No credit card. Full API access.</span>
            </p>
            <p>
              Accounts are by invitation: <a href={`mailto:${contact_email}`}>ask the team for one</a>, then
              sign in.
            </p>
          </div>
          <SampleBoard />
        </section>
      </div>
      <main className={styles.wrap}>
        {SECTIONS.map(({ heading, body }, index) => (
          <section
            key={heading}
            className={styles.section}
            data-columns="60"
            aria-labelledby={`part-${index + 1}`}
          >
            <header data-line="4">
              <Flap value={index + 1} />
              <h2 id={`part-${index + 1}`}>{heading}</h2>
            </header>
            <div data-stack="5">{body}</div>
          </section>
        ))}
      </main>
      <section className={styles.closing} aria-label="Trial">
        <div data-row="5">
          <h2>See your next 14 days.</h2>
          <StartTrial kind="primary" />
        </div>
      </section>
      <footer className={styles.foot} data-tone="2" data-theme="board">
        <div data-split="5">
          <Brand href={pageAddress('landing')} />
          <p>
            Access is by invitation. <a href={`mailto:${contact_email}`}>{contact_email}</a>
          </p>
        </div>
      </footer>
    </>
  );
}

function TopBar() {
  const signedIn = useSession((session) => session.status === 'signedIn');

  return (
    <header className={styles.bar} data-justify="between" data-line="5">
      <Brand href={pageAddress('landing')} />
      <nav data-line="5" aria-label="Main">
        {signedIn ? (
          <>
            <Link href={pageAddress('dashboard')} data-tap data-text="line" data-tone="2">
              Dashboard
            </Link>
            <Link href={pageAddress('keys')} data-tap data-text="line" data-tone="2">
              API Keys
            </Link>
          </>
        ) : (
          <Link href={pageAddress('login')} data-tap data-text="line" data-tone="2">
            Sign in
          </Link>
        )}
      </nav>
    </header>
  );
}

function StartTrial({ kind }: { kind: 'sign' | 'primary' }) {
  return (
    <Link href={pageAddress('login')} {...buttonLook({ kind, className: styles.trial })}>
      Start Trial <ArrowRightIcon weight="bold" aria-hidden />
    </Link>
  );
}

/** Invented, and labelled as a sample: the real board is only for signed-in users. */
const SAMPLE = [
  {
    category: 'Rail',
    title: 'Rail Network',
    grade: 'critical',
    text: 'Paddington: no trains to or from Reading',
    count: 18,
  },
  {
    category: 'Roads',
    title: 'UK Roads',
    grade: 'critical',
    text: 'M6 southbound closed, J20 to J19',
    count: 14,
  },
  {
    category: 'Aviation',
    title: 'Aviation',
    grade: 'high',
    text: 'Heathrow: arrivals cut to 36 an hour',
    count: 3,
  },
  {
    category: 'Weather',
    title: 'Weather & Flood',
    grade: 'high',
    text: 'Flood warning: River Severn at Bewdley',
    count: 9,
  },
] as const;

function SampleBoard() {
  return (
    <figure className={styles.sample}>
      <ul>
        {SAMPLE.map(({ category, title, grade, text, count }) => (
          <li key={title}>
            <ModePlate category={category} />
            <span>{title}</span>
            <span className={styles.alert} data-row="3" data-text="lead" data-tone="2">
              <Severity grade={grade} />
              <span>{text}</span>
            </span>
            <span data-size="h2">
              <Flap value={count} />
            </span>
          </li>
        ))}
      </ul>
      <figcaption>A sample of the live board</figcaption>
    </figure>
  );
}

const SECTIONS: readonly { heading: string; body: ReactNode }[] = [
  {
    heading: 'Scale',
    body: (
      <Figures
        figures={[
          ['40,000+', 'potential disruptions'],
          ['500,000+', 'crowd surges'],
          ['80,000+', 'venues'],
          ['Since 2017', 'of data'],
        ]}
      />
    ),
  },
  {
    heading: 'Categorisation',
    body: (
      <>
        <p className={styles.prose} data-size="lead">
          12+ top-level categories, each with sub-categories and tags, so a stag weekend and a state visit
          never look alike.
        </p>
        <ol className={styles.stations}>
          {['Music', 'Sport', 'Film', 'Theatre', 'Comedy', 'Family', 'Food and drink', 'Festivals'].map(
            (category) => (
              <li key={category}>{category}</li>
            ),
          )}
        </ol>
      </>
    ),
  },
  {
    heading: 'Data depth',
    body: (
      <>
        <p className={styles.prose} data-size="lead">
          Each event record holds what a planner needs to act, not just a name and a date.
        </p>
        <ul className={styles.records} data-grid>
          {[
            'Event name and category',
            'Venue, date and time',
            'Descriptions',
            'Ticket links and pricing where available',
            'Images and trailers',
            'Venue geo-location and contact details',
            'Sub-categories and tags',
          ].map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </>
    ),
  },
  {
    heading: 'Sources',
    body: (
      <p className={styles.prose} data-size="lead">
        Venue feeds, promoters, ticketing platforms, and public or seasonal events. Live incidents come from
        rail, road, aviation, weather, flood and public-safety services.
      </p>
    ),
  },
  {
    heading: 'Quality',
    body: <Figures figures={[['99%', 'accuracy target, checked against the venue’s own listing']]} />,
  },
  {
    heading: 'Real-world impact',
    body: (
      <p className={styles.prose} data-size="lead">
        A stadium empties 74,500 people at 17:00 into streets closed since 11:30. The board says so on Monday,
        and again when the closure moves.
      </p>
    ),
  },
  {
    heading: 'Why it matters',
    body: (
      <p className={styles.prose} data-size="lead">
        A missed flight costs a client. A coach sent round the right side of a closure costs nothing.
      </p>
    ),
  },
];

function Figures({ figures }: { figures: [number: string, name: string][] }) {
  return (
    <dl className={styles.figures} data-grid="22">
      {figures.map(([number, name]) => (
        <div key={name}>
          <dt data-tone="2">{name}</dt>
          <dd>{number}</dd>
        </div>
      ))}
    </dl>
  );
}
