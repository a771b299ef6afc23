import type { Pool, PoolClient } from 'pg';
import { assert, Rejection } from '#kernel';
import { ApiKeyStore } from '#platform';
import { type AccessScope, keysOf, UNLIMITED } from '../access/access-scope.js';
import { insertKey, mustBePossible, type WantedApiKey } from '../access/key-changes.js';
import type { Identities } from '../access/identities.js';
import type { Role } from '../access/role.js';
import type { UserAnswer } from '../access/user-answer.js';
import type { UserDeed } from '../access/user-rows.js';
import { noSecondFactor, ownAccount, type Users } from '../access/users.js';
import { type Action, type Asked, NOTHING, type Target } from './action.js';
import type { Note } from './preview-codes.js';
import type { Preview } from './preview-items.js';

/**
 * The audit entry names the requester, not the approver, as the actor, because only the requester
 * was shown the secret.
 */
const deedOf = ({ id, actor, reason, approvedBy }: Asked): UserDeed => ({
  origin: { actor, requestId: id },
  reason,
  detail: { actionId: id, approvedBy },
});

const previewOf = (note: Note): Preview => ({ ...NOTHING, notes: [note] });

const secretOf = ({ private: kept }: Asked): string => {
  const { secretHash } = kept ?? {};
  assert(
    secretHash !== undefined,
    'an action that creates a key or a password stores its hash until the approval',
  );
  return secretHash;
};

const keyOf = ({ platformId, scopes, expiresAt }: Target): WantedApiKey => {
  assert(platformId !== undefined && scopes !== undefined, 'a key has a platform and scopes');
  return {
    platformId,
    scopes,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  };
};

const roleOf = ({ role }: Target): Role => {
  assert(role !== undefined, 'a role change names the role');
  return role;
};

const accessOf = ({ access }: Target): AccessScope => {
  assert(access !== undefined, 'a change of access names the new access');
  return access;
};

/**
 * The platforms and merchants, and the limits in minor units, as strings. An empty string means
 * that there is no limit.
 */
const textsOf = ({ scope, limits }: AccessScope) => ({
  visible: keysOf(scope).join(', '),
  limits: limits.map(({ currency, mostMinor }) => `${mostMinor} ${currency}`).join(', '),
});

/**
 * The access of a user before and after a change. Both are part of the preview, so that its digest
 * changes with either.
 */
const accessChanges = (before: AccessScope, target: Target) => {
  const { visible, limits } = textsOf(before);
  return { visibleBefore: visible, limitsBefore: limits, ...textsOf(accessOf(target)) };
};

const createApiKey = (pool: Pool): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'api_key', id: subjectId }),
  preview: async ({ target }) => {
    const key = keyOf(target);
    mustBePossible(key);
    const { platformId } = key;
    await new ApiKeyStore(pool).mustHaveRoom(platformId);
    const scopes = key.scopes.join(', ');
    return previewOf({ code: 'key_activated', prefix: target.subjectId, platformId, scopes });
  },
  executedAs: 'rows',
  execute: async (approved, client) => {
    const { target } = approved;
    const secretHash = Buffer.from(secretOf(approved), 'hex');
    const key = { ...keyOf(target), prefix: target.subjectId, secretHash };
    await insertKey(client, key, deedOf(approved));
  },
});

/** Defines an action on a user; `note` and `check` receive the stored user. */
const userAction = (
  users: Users,
  parts: {
    readonly note: (user: UserAnswer, target: Target) => Note;
    readonly execute: (approved: Asked, client: PoolClient) => Promise<unknown>;
    readonly check?: (user: UserAnswer, actor: string) => void;
  },
): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'user', id: subjectId }),
  preview: async ({ target, actor }) => {
    const user = await users.get(target.subjectId);
    parts.check?.(user, actor);
    return previewOf(parts.note(user, target));
  },
  executedAs: 'rows',
  // The outcome is in the audit log for ever, so the user's name is not part of it.
  execute: async (approved, client) => {
    await parts.execute(approved, client);
  },
});

const emailOf = ({ private: kept }: Asked): string => {
  const { email } = kept ?? {};
  assert(email !== undefined, 'an action that registers an email address stores it');
  return email;
};

const createUser = (users: Users, identities: Identities): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'user', id: subjectId }),
  preview: async ({ target, private: kept }) => {
    const { name = '' } = kept ?? {};
    await users.mustBeFree(name);
    const role = roleOf(target);
    const access = textsOf(target.access ?? UNLIMITED);
    const notes: Note[] = [{ code: 'user_activated', name, role, ...access }];
    if (kept?.email === undefined) return { ...NOTHING, notes };
    await identities.mustBeFree(kept.email, null);
    const { email } = kept;
    return { ...NOTHING, notes: [...notes, { code: 'identity_registered', name, role, email }] };
  },
  executedAs: 'rows',
  execute: async (approved, client) => {
    const { target } = approved;
    const { name = '', email } = approved.private ?? {};
    const user = {
      id: target.subjectId,
      name,
      role: roleOf(target),
      passwordHash: email === undefined ? secretOf(approved) : null,
      access: target.access ?? UNLIMITED,
    };
    await users.insert(client, user, deedOf(approved));
    if (email !== undefined) await identities.register(client, user.id, email, deedOf(approved));
  },
});

const registerIdentity = (users: Users, identities: Identities): Action => ({
  takesTwo: true,
  subjectOf: ({ subjectId }) => ({ type: 'user', id: subjectId }),
  preview: async (asked) => {
    const { id, name, role } = await users.get(asked.target.subjectId);
    const email = emailOf(asked);
    await identities.mustBeFree(email, id);
    return previewOf({ code: 'identity_registered', name, role, email });
  },
  executedAs: 'rows',
  execute: async (approved, client) => {
    const { subjectId } = approved.target;
    await identities.register(client, subjectId, emailOf(approved), deedOf(approved));
  },
});

/** Actions that give a user or a platform a right, or access to an account. */
export const accessActions = (pool: Pool, users: Users, identities: Identities) => ({
  create_api_key: createApiKey(pool),
  create_user: createUser(users, identities),
  change_role: userAction(users, {
    note: ({ name, role: before, ...access }, target) => ({
      code: 'role_changes',
      name,
      before,
      role: roleOf(target),
      ...textsOf(access),
    }),
    execute: (approved, client) =>
      users.setRole(client, approved.target.subjectId, roleOf(approved.target), deedOf(approved)),
  }),
  change_access: userAction(users, {
    note: ({ name, role, ...before }, target) => ({
      code: 'access_changes',
      name,
      role,
      ...accessChanges(before, target),
    }),
    execute: (approved, client) =>
      users.setAccess(
        client,
        approved.target.subjectId,
        accessOf(approved.target),
        deedOf(approved),
      ),
  }),
  enable_user: userAction(users, {
    check: ({ disabledAt }) => {
      if (disabledAt === null) throw new Rejection('user_enabled', 'the user is not disabled');
    },
    note: ({ name, role }) => ({ code: 'user_enabled', name, role }),
    execute: (approved, client) =>
      users.setDisabled(client, approved.target.subjectId, false, deedOf(approved)),
  }),
  reset_password: userAction(users, {
    check: ({ id }, actor) => {
      if (actor === `user:${id}`) throw ownAccount();
    },
    note: ({ name, role }) => ({ code: 'password_reset', name, role }),
    execute: (approved, client) =>
      users.setPassword(client, approved.target.subjectId, secretOf(approved), deedOf(approved)),
  }),
  reset_second_factor: userAction(users, {
    check: ({ id, hasSecondFactor }, actor) => {
      if (actor === `user:${id}`) throw ownAccount();
      if (!hasSecondFactor) throw noSecondFactor();
    },
    note: ({ name, role }) => ({ code: 'second_factor_reset', name, role }),
    execute: (approved, client) =>
      users.resetSecondFactor(client, approved.target.subjectId, deedOf(approved)),
  }),
  register_identity: registerIdentity(users, identities),
});
