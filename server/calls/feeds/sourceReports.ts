/** The state of each source for administrators: its failures in words, and the routes and feeds that depend on it. */
import { knownFeed } from '#contract/feeds/feeds.ts';
import { POLLS_SHOWN, type SourceReport, Standing } from '#contract/feeds/sourceReports.ts';
import { knownSource } from '#contract/feeds/knownSources.ts';
import type { TeamMode } from '#contract/accounts/teams.ts';
import { collections } from '../../incidents/collectionState.ts';
import { demotions } from '../../watches/matching/demotionStore.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import type { Db } from '../../db/open.ts';
import { lastPolls } from '../../incidents/pollLog.ts';
import type { RowOf } from '../../db/schema.ts';
import { EVERYONE } from '../../accounts/teams.ts';
import { users } from '../../accounts/users.ts';
import { watches } from '../../watches/watchStore.ts';
import { type Collector, missingSettings } from '../../incidents/collector.ts';
import { hiddenValues, redacted } from '../../http/documents/redaction.ts';
import { type Condition, conditionsAt, FAILING_FROM } from '../../feeds/sourceCondition.ts';

interface Parts {
  db: Db;
  collectors: readonly Collector[];
  settings: Readonly<Record<string, string | undefined>>;
  mode: TeamMode;
  now: () => Date;
}

/** The reports of all sources; those with trouble come first. `teamId`: the team whose routes are counted. */
export async function sourceReports(
  { db, collectors, settings, mode, now }: Parts,
  teamId: string,
): Promise<SourceReport[]> {
  const rows = await collections(db).all();
  const counts = await disruptions(db).counts();
  const conditionOf = conditionsAt(rows, collectors, now());
  const own = await watches(db).brief(teamId);
  const demoted = await demotions(db).inForce();

  const reports: SourceReport[] = [];
  for (const collector of collectors) {
    const { source } = collector;
    const row = rows.find((one) => one.source === source);
    const polls = await lastPolls(db, source, POLLS_SHOWN);
    const condition = conditionOf(source);
    const { standing, why } = standingOf({ collector, row, condition, last: polls.at(-1), settings });
    const { displayName, feed, tagline } = knownSource(source);
    reports.push({
      source,
      name: displayName,
      feed: (feed && knownFeed(feed)?.title) ?? null,
      covers: tagline,
      standing,
      why,
      interval_seconds: Math.round(collector.everyMinutes * 60),
      max_age_seconds: Math.round(collector.maxAgeMinutes * 60),
      freshness: condition.freshness,
      last_attempt: row?.last_attempt ?? null,
      last_success: row?.last_success ?? null,
      next_run: isAsked(standing) ? (row?.next_run ?? null) : null,
      consecutive_failures: row?.consecutive_failures ?? 0,
      last_ms: polls.at(-1)?.ms ?? null,
      alerts: counts.filter((one) => one.source === source).reduce((sum, { count }) => sum + count, 0),
      routes: own.filter(({ sources }) => sources.includes(source)).length,
      polls: polls.map(({ at, ok, records }) => ({ at, ok: ok === 1, records })),
      settings: collector.settings.map(({ name, about, required }) => ({
        name,
        about,
        required: required ?? false,
        is_set: Boolean(settings[name]?.trim()),
      })),
      missing_settings: missingSettings(collector, settings),
      skipped: row?.skipped ?? 0,
      problems: problemsOf(collector, row, settings),
      off: row?.off_at ? { at: row.off_at, by: row.off_by ? await nameOf(db, row.off_by) : null } : null,
      ...demotionOf(
        demoted.filter((one) => one.source === source),
        mode,
      ),
      asked_at: row?.asked_at ?? null,
    });
  }
  const rank = ({ standing }: SourceReport) => Standing.options.indexOf(standing);
  return reports.sort((a, b) => rank(a) - rank(b));
}

/** Who demoted the source. On a server with only one team, that team's demotion counts for everybody. */
function demotionOf(
  rows: readonly RowOf<'demotions'>[],
  mode: TeamMode,
): Pick<SourceReport, 'demoted' | 'demoted_by'> {
  const isForAll = ({ team_id }: RowOf<'demotions'>) =>
    team_id === null || (mode === 'one' && team_id === EVERYONE);
  const forAll = rows.find(isForAll);
  return {
    demoted: forAll ? { at: forAll.at, why: forAll.why } : null,
    demoted_by: mode === 'one' ? 0 : rows.filter((row) => !isForAll(row)).length,
  };
}

const isAsked = (standing: Standing) => standing !== 'off' && standing !== 'not_set_up';

const nameOf = async (db: Db, userId: string) => (await users(db).byId(userId))?.display_name ?? null;

/** Outcomes of polls that were answered, but without data that can be relied on. */
const ANSWERED: ReadonlySet<string | null> = new Set(['empty', 'partial']);

/** Pure. `last`: its last poll. */
export function standingOf({
  collector,
  row,
  condition,
  last,
  settings,
}: {
  collector: Pick<Collector, 'settings'>;
  row: RowOf<'collections'> | undefined;
  condition: Condition;
  last: Pick<RowOf<'polls'>, 'ok' | 'error_kind'> | undefined;
  settings: Parts['settings'];
}): { standing: Standing; why: string | null } {
  const missing = missingSettings(collector, settings);
  if (row?.off_at) return { standing: 'off', why: null };
  if (missing.length > 0) return { standing: 'not_set_up', why: `Needs ${listed(missing)}` };

  const failures = row?.consecutive_failures ?? 0;
  const said = saidOf(row, collector, settings);
  const isStale = condition.freshness === 'stale';
  if (condition.clock_ahead)
    return {
      standing: 'failing',
      why: `Its last poll is dated ${row?.last_success}: a clock is or was wrong`,
    };
  if (failures > 0 && last?.ok === 0 && ANSWERED.has(last.error_kind))
    return { standing: 'silent', why: said };
  if (failures >= FAILING_FROM || (failures > 0 && (isStale || !row?.last_success)))
    return { standing: 'failing', why: said };
  if (isStale) return { standing: 'silent', why: 'Nobody has asked it since then' };
  if (!row?.last_success) return { standing: 'waiting', why: null };
  return said
    ? { standing: 'faltering', why: `The last poll failed: ${said}` }
    : { standing: 'working', why: null };
}

const listed = (names: readonly string[]) =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

/** The error of the last poll, with the number of failures in a row; null when the last poll did not fail. */
function saidOf(
  row: RowOf<'collections'> | undefined,
  collector: Pick<Collector, 'settings'>,
  settings: Parts['settings'],
): string | null {
  if (!row?.last_error) return null;
  const { last_error, consecutive_failures: failures } = row;
  const error = redacted(last_error, hiddenValues(collector, settings));
  return failures > 1 ? `${error.replace(/\.$/, '')}, ${failures} times` : error;
}

function problemsOf(
  collector: Collector,
  row: RowOf<'collections'> | undefined,
  settings: Parts['settings'],
): string[] {
  const hidden = hiddenValues(collector, settings);
  return (JSON.parse(row?.problems ?? '[]') as string[]).map((problem) => redacted(problem, hidden));
}
