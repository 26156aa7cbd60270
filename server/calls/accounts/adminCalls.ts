/** /api/v1/admin: users and the audit trail. For administrators only. */
import type { Calls } from '../callParts.ts';
import { z } from 'zod';
import {
  AUDIT_ENTRIES,
  AUDIT_ENTRIES_MAX,
  AuditTrail,
  CreateUser,
  UpdateUser,
  UserList,
} from '#contract/accounts/admin.ts';
import { User } from '#contract/accounts/auth.ts';
import { example } from '../reference/examples.ts';
import { guessProblem, temporaryUntil } from '../../accounts/passwords/passwords.ts';
import { accountSecurity } from '../../accounts/passwords/secondFactor.ts';
import { AUDIT_CURSOR, auditTrail } from '../../accounts/auditTrail.ts';
import { displays } from '../../accounts/displays/displays.ts';
import { sessions } from '../../accounts/sessions.ts';
import { removeOwnTeam, teams } from '../../accounts/teams.ts';
import { toUser, users } from '../../accounts/users.ts';
import { AGAIN, ID_TAKEN, makeOnce, orGone } from '../../http/calls/makeOnce.ts';
import { idOf, limit, cursor } from '../../http/calls/parameters.ts';
import { badInput, conflict, notFound } from '../../refusals.ts';

const UNKNOWN = 'There is no such user. The list may be out of date.';
const TAKEN = 'A user with this email address exists already.';
const LAST_ADMIN = 'This is the last active administrator. Make somebody else one first.';

const ById = z.object({
  id: idOf('user', example.user.id),
});

export const adminCalls: Calls =
  ({ db, config, passwords, now }) =>
  async (app) => {
    app.get('/users', {
      who: 'admin',
      costs: 'list',
      operationId: 'listUsers',
      summary: 'List all users',
      description: 'By address.',
      response: { 200: UserList },
      handler: async () => {
        const found = await users(db).list();
        const withFactor = await accountSecurity(db).withFactor();
        const shown = found.map((user) => ({
          ...toUser(user),
          ...(withFactor.has(user.id) && { second_factor: true }),
        }));
        return { users: shown, total: shown.length };
      },
    });

    app.post('/users', {
      who: 'admin',
      meanings: { 201: 'The user was created.' },
      refusals: { 409: TAKEN },
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'Passwords have 8 to 128 characters and are not easily guessed. With `must_change_password` it is good for a week, and only for choosing another. ' +
        AGAIN,
      body: CreateUser,
      response: { 201: User },
      handler: async ({ body, user: admin }) => {
        const problem = await guessProblem(body.password, body, 'administrator');
        if (problem) throw badInput(problem);

        const { id: ownId, password, ...content } = body;
        const fresh = {
          email: body.email.toLowerCase(),
          display_name: body.display_name,
          password_hash: await passwords.inTurn(() => passwords.hash(password)),
          role: body.role,
          is_active: Number(body.is_active),
          is_verified: Number(body.is_verified),
          created_at: now().toISOString(),
          last_login: null,
        };
        const asked = { id: ownId, kind: 'users' as const, owner: [admin.id], content };
        const { id, isNew } = await makeOnce(db, asked, now(), async (trx, id) => {
          const row = { id, ...fresh };
          if (!(await users(trx).insert(row))) {
            throw conflict(TAKEN);
          }
          if (body.must_change_password)
            await accountSecurity(trx).notePasswordUntil(id, temporaryUntil(now()));
          await teams(trx, config.teams).place(id, now());
          await auditTrail(trx).note(admin, 'user.created', row, now(), row.role);
        });
        const stored = orGone(await users(db).byId(id));
        // The stored content leaves out the password, because a fast hash of it would let a thief of the database
        // guess it. So a repeated request is checked against the password hash of the user.
        if (!isNew && !(await passwords.inTurn(() => passwords.matches(password, stored.password_hash))))
          throw conflict(ID_TAKEN);
        return toUser(stored);
      },
    });

    app.patch('/users/:id', {
      who: 'admin',
      refusals: { 404: UNKNOWN, 409: LAST_ADMIN },
      operationId: 'changeUser',
      summary: 'Change a user’s role, or disable or enable the user',
      description:
        'Disabling ends the user’s sessions at once. API keys and displays are refused until the user is enabled again.',
      params: ById,
      body: UpdateUser,
      response: { 200: User },
      handler: async ({ params: { id }, body: { role, is_active }, user: admin }) => {
        const change = {
          ...(role !== undefined && { role }),
          ...(is_active !== undefined && { is_active: Number(is_active) }),
        };
        return db.transaction().execute(async (trx) => {
          const changed = await users(trx).change(id, change);
          if (changed.outcome === 'unknown') throw notFound(UNKNOWN);
          if (changed.outcome === 'last_admin') throw conflict(LAST_ADMIN);

          const { before } = changed;
          // A user who is enabled again must sign in: an old session can be the reason why they were disabled.
          if (is_active === false) await sessions(trx).revokeAllOf(id, 'disabled', now());
          const trail = auditTrail(trx);
          if (role !== undefined && role !== before.role) {
            const detail = `${before.role} to ${role}`;
            await trail.note(admin, 'user.role_changed', before, now(), detail);
          }
          if (is_active !== undefined && Number(is_active) !== before.is_active) {
            await trail.note(admin, is_active ? 'user.enabled' : 'user.disabled', before, now());
          }
          return toUser({ ...before, ...change });
        });
      },
    });

    app.delete('/users/:id', {
      who: 'admin',
      meanings: { 204: 'The user was deleted.' },
      refusals: { 404: UNKNOWN, 409: LAST_ADMIN },
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Ends the user’s sessions, API keys and displays at once; a display can still be blanked. What the user did stays in the usage figures and the audit trail, without name and address.',
      params: ById,
      handler: async ({ params: { id }, user: admin }) => {
        await db.transaction().execute(async (trx) => {
          await displays(trx).endThoseOf(id, now());
          const changed = await users(trx).change(id, null);
          if (changed.outcome === 'unknown') throw notFound(UNKNOWN);
          if (changed.outcome === 'last_admin') throw conflict(LAST_ADMIN);
          await removeOwnTeam(trx, id);
          const trail = auditTrail(trx);
          await trail.note(admin, 'user.deleted', changed.before, now());
          await trail.forget(id);
        });
      },
    });

    app.get('/audit', {
      who: 'admin',
      costs: 'list',
      operationId: 'listAudit',
      summary: 'The audit trail: what administrators did, newest first',
      description: 'Deleted users appear without a name.',
      querystring: z.object({
        limit: limit(AUDIT_ENTRIES_MAX, AUDIT_ENTRIES),
        cursor: cursor(AUDIT_CURSOR.isCursor),
      }),
      response: { 200: AuditTrail },
      handler: async ({ query }) => auditTrail(db).page(query),
    });
  };
