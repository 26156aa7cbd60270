import type { PastJob } from '#contract/history/history.ts';
import { useState } from 'react';
import { Severity } from '../../ui/signs/Severity.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { counted } from '../../ui/numbers.ts';
import styles from './PastJobs.module.css';

/** The team's jobs as they stood: those on the way or in trouble; the others are one press away. */
export function PastJobs({ jobs }: { jobs: readonly PastJob[] }) {
  const [all, setAll] = useState(false);
  if (jobs.length === 0) return null;
  const told = jobs.filter(({ stood, touched_by }) => touched_by !== '' || stood.startsWith('left'));
  const shown = all ? jobs : told;
  const touched = jobs.filter(({ touched_by }) => touched_by !== '').length;

  return (
    <section className={styles.jobs} aria-label="Jobs">
      <header>
        <h2>Jobs</h2>
        <p>
          {touched} of {counted(jobs.length, 'job')} had something certain before{' '}
          {touched === 1 ? 'it' : 'them'}
        </p>
      </header>
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">Touched by</th>
              <th scope="col">Arrives</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, time, what, stood, touched_by, severity, arrives }) => (
              <tr key={id}>
                <th scope="row">
                  <time>{time}</time> {what} {stood && <small>{stood}</small>}
                </th>
                <td>
                  {touched_by && <Severity grade={severity ?? 'unrated'} wordless />} {touched_by || '–'}
                </td>
                <td>{arrives || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {told.length < jobs.length && (
        <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Only those on the way or in trouble' : `All ${counted(jobs.length, 'job')}`}
        </Button>
      )}
    </section>
  );
}
