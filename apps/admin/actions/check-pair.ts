import { firstRow } from '#platform';
import type { PoolClient } from 'pg';
import { Rejection } from '#kernel';
import type { Role } from '../access/role.js';
import type { SignedIn } from '../access/sessions.js';
import { lockActing, type LockedUser, mayStill } from '../access/still-acting.js';
import { isKey } from './action-store.js';

/**
 * The number of days for which two users cannot approve each other's requests. The time begins when
 * one of them changes the other's account, when one person has set the passwords of both, or when
 * the registration of an account at the identity provider ends.
 */
const DOUBT_DAYS = 7;

/** The person who was last shown the one-time password of the user `c.id` before `c.at`. */
const SHOWN = `
  SELECT actor, at, false AS is_identity FROM audit
   WHERE subject_type = 'user' AND subject_id = c.id AND at < c.at
     AND action IN ('user.created', 'user.password_reset') AND actor <> 'user:' || c.id
     AND detail->>'passwordShown' IS DISTINCT FROM 'false'
   ORDER BY audit.at DESC, audit.id DESC LIMIT 1`;

/**
 * The people who registered an account at the identity provider for the user `c.id`, if their
 * registration was in effect at `c.at`, or had ended a few days before.
 */
const REGISTERED = `
  SELECT actor, at, true FROM audit r
   WHERE subject_type = 'user' AND subject_id = c.id AND at < c.at
     AND action = 'user.identity_registered'
     AND NOT EXISTS (
       SELECT FROM audit ended
        WHERE subject_type = 'user' AND subject_id = c.id AND (at, id) > (r.at, r.id)
          AND action IN ('user.identity_registered', 'user.identity_removed')
          AND at < least(c.at, now()) - interval '${DOUBT_DAYS} days')`;

/**
 * For each of two users, finds the people who may control the account. The first people are those
 * who were last shown the user's one-time password or who registered an account at the identity
 * provider for the user. The next people are those who then controlled the accounts of the first
 * people, and so on. A password reset by the concerned user is ignored, because it would hide such
 * a link. A registration by the user for the own account leads to the people who controlled the
 * user at that time. `given_at` and `by_identity` describe the first link. The statement reads the
 * audit log, because the audit log keeps entries about deleted registrations.
 */
const PAIR = `
  WITH RECURSIVE control (start, id, at, given_at, by_identity) AS (
    SELECT id, id, 'infinity'::timestamptz, NULL::timestamptz, NULL::boolean
      FROM (VALUES ($1), ($2)) AS pair (id)
    UNION
    SELECT c.start, substr(a.actor, 6), a.at, coalesce(c.given_at, a.at),
           coalesce(c.by_identity, a.is_identity)
      FROM control c CROSS JOIN LATERAL ((${SHOWN}) UNION ALL ${REGISTERED}) AS a
     WHERE a.actor LIKE 'user:%')
  SELECT EXISTS (
           SELECT FROM control WHERE (start, id) IN (($1, $2), ($2, $1)) AND NOT by_identity
         ) AS "knewPassword",
         EXISTS (
           SELECT FROM control WHERE (start, id) IN (($1, $2), ($2, $1)) AND by_identity
         ) AS "registeredOther",
         EXISTS (
           SELECT FROM control one JOIN control other USING (id)
            WHERE one.start = $1 AND other.start = $2
              AND (least(one.given_at, other.given_at) > now() - interval '${DOUBT_DAYS} days'
                OR EXISTS (SELECT FROM control WHERE by_identity))
         ) AS "controlledBoth",
         EXISTS (
           SELECT FROM audit
            WHERE subject_type = 'user' AND at > now() - interval '${DOUBT_DAYS} days'
              AND action IN ('user.enabled', 'user.role_changed', 'user.access_changed',
                             'user.second_factor_reset')
              AND (subject_id, actor) IN (($1, 'user:' || $2), ($2, 'user:' || $1))
         ) AS "changedOther"`;

interface Pair {
  readonly knewPassword: boolean;
  readonly registeredOther: boolean;
  readonly controlledBoth: boolean;
  readonly changedOther: boolean;
}

export const requesterWithoutPermission = (): Rejection =>
  new Rejection(
    'requester_not_allowed',
    'the requester no longer has the right to request this action',
  );

/**
 * Checks that the API key of the requesting platform is active and has the scope. Returns the user
 * to whom the key was shown, because that user may have made the request.
 */
const KEY = `
  SELECT (SELECT substr(actor, 6) FROM audit
           WHERE subject_type = 'api_key' AND subject_id = prefix AND action = 'api_key.created'
             AND actor LIKE 'user:%' LIMIT 1) AS "shownTo"
    FROM api_keys
   WHERE 'platform:' || platform_id || ' key:' || prefix = $1 AND 'payouts:write' = ANY (scopes)
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR SHARE`;

/** @returns the console user to whom the key was shown, if any */
const lockKey = async (client: PoolClient, requester: string): Promise<string | null> => {
  const key = await firstRow<{ shownTo: string | null }>(client, KEY, [requester]);
  if (key === undefined) throw requesterWithoutPermission();
  return key.shownTo;
};

const inDoubt = (why: string): Rejection =>
  new Rejection('account_in_doubt', `${why}: a third person must approve`);

/** Throws `Rejection('account_in_doubt')` if both accounts may belong to one person. */
const checkTwo = async (client: PoolClient, oneId: string, otherId: string): Promise<void> => {
  const pair = await firstRow<Pair>(client, PAIR, [oneId, otherId]);
  if (pair === undefined || pair.knewPassword) {
    throw inDoubt("one of you was shown the other's one-time password");
  }
  if (pair.registeredOther) {
    throw inDoubt("one of you registered the other's account at the identity provider");
  }
  if (pair.controlledBoth) {
    throw inDoubt('one person set the passwords, or registered the accounts, of both of you');
  }
  if (pair.changedOther) {
    throw inDoubt(`one of you changed the other's account within ${DOUBT_DAYS} days`);
  }
};

/**
 * Checks that requester and approver are two independent people with the right to act. A user who
 * was ever shown the other user's one-time password may control the other account until a third
 * person resets its password. Both rows are locked and checked in the transaction of the decision,
 * because a user may be disabled or demoted while the provider is read. Returns them as they are now.
 * @throws Rejection `requester_not_allowed`, `account_in_doubt`; `Problem` 401, 403 for the
 * approver
 */
export const checkPair = async (
  client: PoolClient,
  requesterId: string,
  approver: SignedIn,
  least: Role,
): Promise<ReadonlyMap<string, LockedUser>> => {
  const users = await lockActing(client, approver, least, [requesterId]);
  if (isKey(requesterId)) {
    const shownTo = await lockKey(client, requesterId);
    if (shownTo === approver.userId)
      throw inDoubt('you were shown the API key that requests this action');
    if (shownTo !== null) await checkTwo(client, shownTo, approver.userId);
    return users;
  }
  if (!mayStill(users.get(requesterId), least)) throw requesterWithoutPermission();
  await checkTwo(client, requesterId, approver.userId);
  return users;
};
