import type { PoolClient } from 'pg';
import { Rejection } from '#kernel';
import type { Role } from '../access/role.js';
import type { SignedIn } from '../access/sessions.js';
import { lockActing, mayStill } from '../access/still-acting.js';
import { isKey } from './action-store.js';

/** Wall time, days: so long it is remembered who has let the other in. */
const DOUBT_DAYS = 7;

/**
 * Who was shown the password that each of the two last began with, and who was shown theirs before
 * that, and so on: as of when it was shown. Nobody hides that by a reset of their own.
 */
const PAIR = `
  WITH RECURSIVE shown (start, id, at, given_at) AS (
    SELECT id, id, 'infinity'::timestamptz, NULL::timestamptz FROM (VALUES ($1), ($2)) AS pair (id)
    UNION ALL
    SELECT s.start, a.id, a.at, coalesce(s.given_at, a.at)
      FROM shown s CROSS JOIN LATERAL (
        SELECT substr(actor, 6) AS id, actor, at FROM audit
         WHERE subject_type = 'user' AND subject_id = s.id AND at < s.at
           AND action IN ('user.created', 'user.password_reset') AND actor <> 'user:' || s.id
         ORDER BY audit.at DESC, audit.id DESC LIMIT 1) AS a
     WHERE a.actor LIKE 'user:%')
  SELECT EXISTS (
           SELECT FROM shown WHERE (start, id) IN (($1, $2), ($2, $1))) AS "knewPassword",
         EXISTS (
           SELECT FROM shown one JOIN shown other USING (id)
            WHERE one.start = $1 AND other.start = $2
              AND least(one.given_at, other.given_at) > now() - interval '${DOUBT_DAYS} days'
         ) AS "knewBoth",
         EXISTS (
           SELECT FROM audit
            WHERE subject_type = 'user' AND at > now() - interval '${DOUBT_DAYS} days'
              AND action IN ('user.enabled', 'user.role_changed')
              AND (subject_id, actor) IN (($1, 'user:' || $2), ($2, 'user:' || $1))
         ) AS "wasLetIn"`;

interface Pair {
  readonly knewPassword: boolean;
  readonly knewBoth: boolean;
  readonly wasLetIn: boolean;
}

const requesterGone = (): Rejection =>
  new Rejection('requester_gone', 'who asked for this may not ask for it any more');

/**
 * Of the platform that asked: it is live, and may still ask for what platforms ask for. Who was shown
 * it may be who asks by it; the one who let it begin was not.
 */
const KEY = `
  SELECT (SELECT substr(actor, 6) FROM audit
           WHERE subject_type = 'api_key' AND subject_id = prefix AND action = 'api_key.created'
             AND actor LIKE 'user:%' LIMIT 1) AS "shownTo"
    FROM api_keys
   WHERE 'platform:' || platform_id || ' key:' || prefix = $1 AND 'payouts:write' = ANY (scopes)
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) FOR SHARE`;

/** Answers who was shown the key, if that is a user of the console. */
const lockKey = async (client: PoolClient, requester: string): Promise<string | null> => {
  const {
    rows: [key],
  } = await client.query<{ shownTo: string | null }>(KEY, [requester]);
  if (key === undefined) throw requesterGone();
  return key.shownTo;
};

const inDoubt = (why: string): Rejection =>
  new Rejection('account_in_doubt', `${why}: a third person approves`);

/** Throws `Rejection('account_in_doubt')` where these two may be one. */
const checkTwo = async (client: PoolClient, oneId: string, otherId: string): Promise<void> => {
  const {
    rows: [pair],
  } = await client.query<Pair>(PAIR, [oneId, otherId]);
  if (pair === undefined || pair.knewPassword) {
    throw inDoubt("one of you was shown the other's first password");
  }
  if (pair.knewBoth) {
    throw inDoubt(`both your passwords were given by one person within ${DOUBT_DAYS} days`);
  }
  if (pair.wasLetIn) {
    throw inDoubt(`one of you changed the other's account within ${DOUBT_DAYS} days`);
  }
};

/**
 * Whether these are two people who may do this together. Who was shown the password that the
 * other's account last began with may have chosen the next one, too, and have acted as them since:
 * however long ago, the two may be one, until somebody else resets it. Both are locked and checked
 * here, in the transaction that decides: who was disabled or demoted while the provider was read
 * decides nothing.
 *
 * @throws Rejection `requester_gone`, `account_in_doubt`; `Problem` 401, 403 of the approver
 */
export const checkPair = async (
  client: PoolClient,
  requesterId: string,
  approver: SignedIn,
  least: Role,
): Promise<void> => {
  const users = await lockActing(client, approver, least, [requesterId]);
  if (isKey(requesterId)) {
    const shownTo = await lockKey(client, requesterId);
    if (shownTo === approver.userId) throw inDoubt('you were shown the key that asks for this');
    return shownTo === null ? undefined : checkTwo(client, shownTo, approver.userId);
  }
  if (!mayStill(users.get(requesterId), least)) throw requesterGone();
  await checkTwo(client, requesterId, approver.userId);
};
