/** The answer with the alerts that a team has in hand: small, and the same bytes until something changes. */
import { type OwnReport, type Person, ResponseList, type TeamResponse } from '#contract/shift/responses.ts';
import { firstName } from '#contract/shift/responseWords.ts';
import { displays } from '../accounts/displays/displays.ts';
import type { Db } from '../db/open.ts';
import { ownReports } from './ownReports.ts';
import { responses } from './responses.ts';
import { ACCESS_REVISION, RESPONSES_REVISION, revision } from '../db/revisions.ts';
import { type Answer, answerOfBytes } from '../http/answers/readyAnswers.ts';
import { keptAnswers } from '../http/answers/latestAnswers.ts';

interface Parts {
  db: Db;
  now: () => Date;
}

interface Asked {
  teamId: string;
  /** Only changes from then on. */
  since?: string;
  /** The display that asks. */
  displayId?: string;
}

export interface ResponseAnswers {
  list(teamId: string, asked: Omit<Asked, 'teamId'>): Promise<Answer>;
}

/** An ended item stays in the answer for this long, because a reader may have been offline. */
const OVER_MS = 24 * 60 * 60_000;

export function responseAnswers({ db, now }: Parts): ResponseAnswers {
  const kept = keptAnswers<Asked>({ now, revision: () => revisionOf(db) }, async (asked, at) => {
    const { teamId, since, displayId } = asked;
    const changedAfter = new Date(at.getTime() - OVER_MS);
    const { responses: found, latest } = await responses(db).ofTeam(teamId, { since, changedAfter });
    const reports = await ownReports(db).inForce(teamId);
    const show = displayId === undefined ? (person: Person | null) => person : await shownOn(db, displayId);
    const list: ResponseList = {
      responses: found.map((response) => withPeople(response, show)),
      total: found.length,
      reports: reports.map((report): OwnReport => ({
        ...report,
        by: show(report.by),
        // People's notes to each other are not for a wall.
        note: displayId === undefined ? report.note : '',
      })),
      latest,
    };
    const bytes = Buffer.from(JSON.stringify(ResponseList.parse(list)));
    return { answer: answerOfBytes(bytes, { isQuick: true }), nextChangeAt: null };
  });
  return { list: (teamId, asked) => kept({ teamId, ...asked }) };
}

/** A number that rises whenever a list can differ, also by a person's name or by the end of an incident. */
async function revisionOf(db: Db): Promise<number> {
  const names = [RESPONSES_REVISION, ACCESS_REVISION, 'changes'];
  const values = await Promise.all(names.map((name) => revision(db, name)));
  return values.reduce((sum, value) => sum + value, 0);
}

/** Anybody can read a wall: it has first names if its setting allows them, and otherwise none. */
async function shownOn(db: Db, displayId: string): Promise<(person: Person | null) => Person | null> {
  const allowed = await displays(db).showsNames(displayId);
  return (person) => (person && allowed ? { id: null, name: firstName(person.name) } : null);
}

const withPeople = (
  response: TeamResponse,
  show: (person: Person | null) => Person | null,
): TeamResponse => ({
  ...response,
  by: show(response.by),
  snooze: response.snooze && { ...response.snooze, by: show(response.snooze.by) },
});
