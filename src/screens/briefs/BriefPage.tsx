import { pageAddress, pageAddressOf } from '#contract/addresses.ts';
import { london } from '#contract/london.ts';
import { type BriefSheet, isClear, isSentLate, withoutWorst } from '#contract/messages/briefs.ts';
import { PrinterIcon } from '@phosphor-icons/react/dist/csr/Printer';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Page, readBrief } from '../../api/watches/briefs.ts';
import { usePageId } from '../../device/address/useAddress.ts';
import { useRefreshed } from '../../feeds/refresh/useRefreshed.ts';
import { formatClock } from '../../time/london.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Mark } from '../../ui/page/Brand.tsx';
import { Notice } from '../../ui/signs/Notice.tsx';
import { Severity } from '../../ui/signs/Severity.tsx';
import { StatusLine } from '../../ui/signs/StatusLine.tsx';
import { usePageFoot } from '../handover/usePageFoot.ts';
import paper from '../../ui/page/Paper.module.css';
import styles from './BriefPage.module.css';

/** `/briefs/{id}/{at}`: a brief as it was sent. On paper it is one A4 page, black on white. */
export function BriefPage() {
  const [id = '', at = ''] = usePageId().split('/');
  const { data, refused, problem } = useRefreshed(`brief ${id} ${at}`, (signal) => readBrief(id, at, signal));

  return (
    <div className={paper.page}>
      <p data-bottom="4" data-only="screen" data-split>
        <Link href={pageAddress('briefs')}>Briefs</Link>
        <Button onClick={() => print()}>
          <PrinterIcon weight="bold" aria-hidden /> Print
        </Button>
      </p>
      {data ? (
        <Shown page={data} />
      ) : refused || problem ? (
        <Notice>{refused ?? 'Unable to load this brief'}</Notice>
      ) : (
        <p>Loading...</p>
      )}
    </div>
  );
}

/** With at most this many jobs at risk, a page has room for larger letters. */
const AT_RISK_LARGE = 5;

const DAY = london({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

function Shown({ page }: { page: Page }) {
  const { name, at, made_at, subject, team, sheet } = page;
  usePageFoot(`Made ${formatClock(made_at)}.`);
  // The time is shown above already.
  const headline = subject?.replace(/ · \d\d:\d\d$/, '') ?? 'Not sent';
  const late = isSentLate({ at, made_at });

  return (
    <article
      className={`${paper.sheet} ${styles.sheet}`}
      data-full={(sheet && sheet.at_risk.length > AT_RISK_LARGE) || undefined}
    >
      <header>
        <Mark />
        <div>
          <p>
            <b data-text="lead">{name}</b>
          </p>
          <p>
            {DAY.format(new Date(at)).replace(',', '')},{' '}
            {late ? `due ${formatClock(at)}, sent ${formatClock(made_at)}` : formatClock(at)}
          </p>
        </div>
        <p className={`${paper.people} ${styles.team}`}>{team}</p>
      </header>
      <h1>{headline}</h1>
      {sheet ? (
        <Sections sheet={sheet} />
      ) : (
        <p>Skipped: it would have been more than an hour late, or a later one said more.</p>
      )}
      <footer data-only="screen">
        <p>
          Made {formatClock(made_at)}. As it was then.{' '}
          <Link href={pageAddress(WHERE[sheet?.about ?? 'jobs'])}>Open in Clearway</Link> ·{' '}
          <Link href={pageAddress('briefs')}>Who gets this</Link>
        </p>
      </footer>
    </article>
  );
}

type Sentence = BriefSheet['worst'][number];

const AT_RISK = { jobs: 'Jobs at risk', routes: 'Routes at risk', feeds: 'Feeds in trouble' } as const;
const OF = { jobs: 'Job', routes: 'Route', feeds: 'Feed' } as const;
const WHERE = { jobs: 'today', routes: 'routes', feeds: 'board' } as const;

function Sections({ sheet }: { sheet: BriefSheet }) {
  const isJobs = sheet.about === 'jobs';
  return (
    <>
      <Section heading="1 The worst three">
        {sheet.blind ? (
          <StatusLine status="none">No source has answered.</StatusLine>
        ) : sheet.worst.length === 0 ? (
          <StatusLine status={isClear(sheet) ? 'good' : 'none'}>{withoutWorst(sheet)}</StatusLine>
        ) : (
          <ol className={styles.worst} data-text="line">
            {sheet.worst.map((one) => (
              <li key={one.event_id}>
                <Severity grade={one.severity ?? 'unrated'} wordless />
                <Link href={pageAddressOf('alert', one.event_id)}>{one.text}</Link>
              </li>
            ))}
          </ol>
        )}
      </Section>
      <Section heading={`2 ${AT_RISK[sheet.about]}, and what was done`}>
        {sheet.blind ? (
          <p>We cannot say.</p>
        ) : sheet.at_risk.length === 0 ? (
          <p>{isClear(sheet) ? 'Nothing' : withoutWorst(sheet)}</p>
        ) : (
          <table>
            <thead>
              <tr>
                {isJobs && <th scope="col">Leaves</th>}
                <th scope="col">{OF[sheet.about]}</th>
                <th scope="col">Touched by</th>
                {isJobs && <th scope="col">Arrives</th>}
                <th scope="col">What was done</th>
              </tr>
            </thead>
            <tbody>
              {sheet.at_risk.map((one) => (
                <tr key={`${one.time} ${one.what} ${one.event_id}`}>
                  {isJobs && <th scope="row">{one.time}</th>}
                  <td>
                    <b>{one.what}</b>
                  </td>
                  <td>
                    {one.event_id === null ? (
                      one.touched_by
                    ) : (
                      <>
                        <Severity grade={one.severity ?? 'unrated'} wordless />{' '}
                        <Link href={pageAddressOf('alert', one.event_id)}>{one.touched_by}</Link>
                      </>
                    )}
                  </td>
                  {isJobs && <td className={styles.arrives}>{one.arrives}</td>}
                  <td>{one.done}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {sheet.more && <p>{sheet.more}</p>}
      </Section>
      <div className={paper.two} data-columns="40">
        <Section heading="3 Changed since the last brief">
          <Sentences all={sheet.changed} more={sheet.more_changed} />
        </Section>
        <Section heading="4 Planned">
          <Sentences all={sheet.planned} more={sheet.more_planned} />
        </Section>
      </div>
      <section className={styles.blind}>
        <h2>5 What we could not see</h2>
        {sheet.unseen.length === 0 ? (
          <p>Nothing</p>
        ) : (
          <ul>
            {sheet.unseen.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
      </section>
      <Section heading="6 Age of each source">
        <ul className={styles.ages}>
          {sheet.ages.map(({ name, at, silent }) => (
            <li key={name} data-split data-silent={silent || undefined}>
              <span>{name}</span>
              <span data-nowrap>
                {at ? formatClock(at) : 'never'}
                {silent && ', silent'}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

function Sentences({ all, more }: { all: readonly Sentence[]; more: number }) {
  if (all.length === 0) return <p>Nothing</p>;
  return (
    <ul className={styles.said}>
      {all.map((one) => (
        <li key={one.text}>
          <Link href={pageAddressOf('alert', one.event_id)}>{one.text}</Link>
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}
