/** /api/v1/addresses: the secret addresses and public pages of the caller's team. */
import { DAY_MS, MINUTE_MS } from '#contract/durations.ts';
import { createHash, randomBytes } from 'node:crypto';
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  AddressChange,
  FrameHosts,
  NewAddressRequest,
  NewSharedAddress,
  SharedAddress,
  type SharedForm,
  SharedAddressList,
  SHARING_LIMITS,
} from '#contract/watches/sharing.ts';
import { addresses as addressesIn } from '../../watches/sharedAddresses.ts';
import { disruptions } from '../../incidents/list/disruptions.ts';
import { teams } from '../../accounts/teams.ts';
import { watches } from '../../watches/watchStore.ts';
import { example } from '../reference/examples.ts';
import { AGAIN, makeOnce } from '../../http/calls/makeOnce.ts';
import { idOf, words } from '../../http/calls/parameters.ts';
import { badInput, conflict, notFound, orNotFound } from '../../refusals.ts';

const UNKNOWN = 'There is no such address, or it has ended.';
const NOTHING = 'There is no such route, area or feed, and no such alert.';
const FULL = `A team may have ${SHARING_LIMITS.perTeam} addresses. End one first.`;
const SAID_ONCE =
  'This address was made before, and is in use or has ended. Use another id to make another address.';
const ONE = 'Give watch_id or event_id.';
const ONLY_PAGE = 'An alert has only a public page.';
const PAGE_ENDS = `A public page ends within 1 hour to ${SHARING_LIMITS.pageToDays} days.`;
const OVER = 'expires_at is over.';

/** 256 bits. */
const SECRET_BYTES = 32;

/** SHA-256, hex. Addresses are looked up by this hash. */
export const secretHash = (random: string) => createHash('sha256').update(random).digest('hex');

const AddressId = z.object({
  id: idOf('address', example.sharedAddress.id),
});

export const addressCalls: Calls =
  ({ db, config, now }) =>
  async (app) => {
    const addresses = addressesIn(db);
    const mustBeThere = async (
      teamId: string,
      { watch_id, event_id }: { watch_id?: string | undefined; event_id?: string | undefined },
    ): Promise<void> => {
      if (watch_id !== undefined && (await watches(db).brief(teamId, [watch_id])).length === 0)
        throw notFound(NOTHING);
      // A team's own report is for the team alone, so it has no page.
      if (event_id !== undefined && !(await disruptions(db).history(event_id))) throw notFound(NOTHING);
    };

    app.get('/', {
      who: 'user',
      refusals: { 404: NOTHING },
      operationId: 'listAddresses',
      summary: 'The secret addresses and public pages that are open',
      description:
        'For the whole team, or for one route, area, feed or alert; newest first. The secret part of an address is never in the answer.',
      querystring: z.object({
        watch_id: words(64).meta({ description: 'Of this alone.', example: example.watch.id }),
        event_id: words(300).meta({
          description: 'Of this alert alone.',
          example: example.disruption.event_id,
        }),
      }),
      response: { 200: SharedAddressList },
      handler: async (request) => {
        const teamId = await request.teamId();
        await mustBeThere(teamId, { watch_id: request.query.watch_id });
        const open = await addresses.open(teamId, request.query, now());
        const frame_hosts = await teams(db, config.teams).frameHosts(teamId);
        return { addresses: open, total: open.length, frame_hosts };
      },
    });

    app.post('/', {
      who: 'lead',
      meanings: { 201: 'The address was made. It is not shown again.' },
      refusals: { 404: NOTHING, 409: `${FULL} Or: ${SAID_ONCE}` },
      operationId: 'createAddress',
      summary: 'Make a secret address or a public page',
      description:
        'For programs that cannot send a header, and for people without an account. Anyone who has the address can read ' +
        'the incidents that are let through, in the form for which it was made, and nothing else. It stops working when ' +
        'it is ended, when `expires_at` is over, and, if it is a secret address, when nobody has used it for ' +
        `${SHARING_LIMITS.unusedDays} days. ${PAGE_ENDS} ${AGAIN} The address of the first answer then stops working.`,
      body: NewAddressRequest,
      response: { 201: NewSharedAddress },
      handler: async (request) => {
        const { id: ownId, expires_at, ...content } = request.body;
        const { watch_id, event_id, form } = content;
        if ((watch_id === undefined) === (event_id === undefined)) throw badInput(ONE);
        if (event_id !== undefined && form !== 'page') throw badInput(ONLY_PAGE, 'form');
        checkEnd(form, expires_at, now());
        const teamId = await request.teamId();
        await mustBeThere(teamId, { watch_id, event_id });
        const userId = request.user.id;
        const random = randomBytes(SECRET_BYTES).toString('base64url');
        const hash = secretHash(random);
        const about = watch_id === undefined ? { event_id: event_id! } : { watch_id }; // the schema makes sure that one of them is given
        const asked = { id: ownId, kind: 'addresses' as const, owner: [teamId, userId], content };
        const { id, isNew } = await makeOnce(db, asked, now(), async (trx, id) => {
          const made = { id, hash, about, form, expires_at };
          if (!(await addressesIn(trx).add({ teamId, userId }, made, now()))) throw conflict(FULL);
        });
        if (!isNew && !(await addresses.sayAgain({ id, hash, expires_at }, now()))) throw conflict(SAID_ONCE);
        const address = (await addresses.open(teamId, {}, now())).find((one) => one.id === id)!; // just made
        const path = form === 'page' ? `/p/${random}` : `/f/${random}.${form}`;
        return { ...address, path };
      },
    });

    app.put('/frame-hosts', {
      who: 'lead',
      operationId: 'setFrameHosts',
      summary: 'Choose which sites may frame the team’s public pages',
      description: 'The whole list of hosts. With an empty list pages may be framed nowhere.',
      body: FrameHosts,
      response: { 200: FrameHosts },
      handler: async (request) => {
        const teamId = await request.teamId();
        await teams(db, config.teams).setFrameHosts(teamId, request.body.frame_hosts);
        return { frame_hosts: await teams(db, config.teams).frameHosts(teamId) };
      },
    });

    app.patch('/:id', {
      who: 'lead',
      refusals: { 404: UNKNOWN },
      operationId: 'changeAddress',
      summary: 'Change when an address ends',
      description: `Null: it has no end. ${PAGE_ENDS}`,
      params: AddressId,
      body: AddressChange,
      response: { 200: SharedAddress },
      handler: async (request) => {
        const teamId = await request.teamId();
        const find = async () =>
          (await addresses.open(teamId, {}, now())).find(({ id }) => id === request.params.id);
        const before = orNotFound(await find(), UNKNOWN);
        const { expires_at } = request.body;
        checkEnd(before.form, expires_at, now());
        await addresses.change({ teamId, id: before.id }, { expires_at }, now());
        return orNotFound(await find(), UNKNOWN);
      },
    });

    app.delete('/:id', {
      who: 'lead',
      meanings: { 204: 'The address is dead: it answers 404.' },
      refusals: { 404: UNKNOWN },
      operationId: 'endAddress',
      summary: 'End a secret address or a public page',
      description: 'At once, on every node.',
      params: AddressId,
      handler: async (request) => {
        const of = { teamId: await request.teamId(), id: request.params.id };
        if (!(await addresses.end(of, now()))) throw notFound(UNKNOWN);
      },
    });
  };

/** A page ends after 1 hour to 90 days. A minute more is allowed on both sides, because the request takes time. */
function checkEnd(form: SharedForm, expiresAt: string | null, now: Date): void {
  const left = expiresAt === null ? Infinity : Date.parse(expiresAt) - now.getTime();
  if (left <= 0) throw badInput(OVER, 'expires_at');
  const least = (SHARING_LIMITS.pageFromMinutes - 1) * MINUTE_MS;
  const isWithin = left >= least && left <= SHARING_LIMITS.pageToDays * DAY_MS + MINUTE_MS;
  if (form === 'page' && !isWithin) throw badInput(PAGE_ENDS, 'expires_at');
}
