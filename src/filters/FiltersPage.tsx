import { pageAddress } from '#contract/addresses.ts';
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { useNavigate, usePageQuery } from '../addresses/useAddress.ts';
import { type Filter, listFilters } from '../api/filters.ts';
import { ownTeam } from '../api/teams.ts';
import { useLoad } from '../api/useLoad.ts';
import { listWatches } from '../api/watches.ts';
import { isAdmin, useSession } from '../session/session.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Page } from '../ui/Page.tsx';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { conditionWords } from './conditions.ts';
import { FilterCard } from './FilterCard.tsx';
import { FilterForm } from './FilterForm.tsx';
import styles from '../ui/makingPage.module.css';

/** `/filters`: the team's filters, each in every format. They are not stored on the device. */
export function FiltersPage() {
  const { new: begun } = usePageQuery('filters');
  const navigate = useNavigate();
  const [editing, setEditing] = useState<Filter | null>(null);
  const [said, setSaid] = useState('');
  const offline = useSession((session) => session.offline);
  const load = useLoad(listFilters, 'Failed to load filters');
  const routes = useLoad(async (signal) => (await listWatches(signal)).data.watches, '');
  const team = useLoad(ownTeam, '');
  const admin = useSession(isAdmin);
  // While that is not known they are offered: the server refuses in words.
  const isMember = !admin && 'data' in team && team.data?.role === 'member';
  const known = 'data' in routes ? (routes.data ?? []) : [];
  const filters = 'data' in load ? load.data : undefined;
  const top = useRef<HTMLDivElement>(null);
  const isOpen = editing !== null || begun !== undefined;

  const close = () => {
    setEditing(null);
    if (begun !== undefined) navigate(pageAddress('filters'), { replace: true });
    top.current?.focus();
  };
  const changed = (words: string) => {
    setSaid(words);
    return load.reload();
  };

  return (
    <Page
      heading="Filters"
      about={
        <>
          One filter, every format: for your own systems, maps, calendars and feed readers. Programs send an{' '}
          <Link href={pageAddress('keys')}>API key</Link>.
        </>
      }
      aside={
        <Button
          kind="primary"
          disabled={offline}
          aria-expanded={isOpen}
          onClick={() => {
            setEditing(null);
            navigate(pageAddress('filters', { new: '' }), { replace: true });
          }}
        >
          <PlusIcon weight="bold" aria-hidden /> New filter
        </Button>
      }
    >
      <div className={styles.parts} ref={top} tabIndex={-1}>
        {isOpen && (
          <FilterForm
            key={editing?.id ?? begun}
            filter={editing}
            query={begun ?? ''}
            routes={known}
            onClose={close}
            onSaved={(name) => changed(`${name} was saved`)}
          />
        )}
        {load.state === 'loading' && <p role="status">Loading...</p>}
        {load.state === 'failed' && (
          <div className={styles.failed}>
            <Notice>{load.message}</Notice>
            <p>Filters are never stored on this device. They appear when the server answers again.</p>
            <Button onClick={() => void load.reload()}>Try again</Button>
          </div>
        )}
        {filters?.length === 0 && !isOpen && (
          <div className={styles.empty}>
            <h2>No filters yet</h2>
            <p>Make one here, or from All alerts with the conditions that are set there.</p>
          </div>
        )}
        {filters?.map((filter) => (
          <FilterCard
            key={filter.id}
            filter={filter}
            isMember={isMember}
            words={conditionWords(filter.query, (id) => known.find((route) => route.id === id)?.name)}
            onEdit={() => setEditing(filter)}
            onChanged={changed}
          />
        ))}
        <div role="status">{said && <VisuallyHidden>{said}</VisuallyHidden>}</div>
      </div>
    </Page>
  );
}
