import type { PoolClient } from 'pg';
import { Rejection } from '#kernel';

/** Wall time, days: as long as a one-time password works. */
const DOUBT_DAYS = 7;

const PAIR = `
  SELECT u.disabled_at IS NULL AND u.role <> 'viewer' AS "mayAsk",
         EXISTS (
           SELECT FROM audit
            WHERE subject_type = 'user' AND at > now() - interval '${DOUBT_DAYS} days'
              AND action IN
                  ('user.created', 'user.enabled', 'user.role_changed', 'user.password_reset')
              AND (subject_id, actor) IN (($1, 'user:' || $2), ($2, 'user:' || $1))
         ) AS "isInDoubt"
    FROM admin_users u WHERE u.id = $1 FOR SHARE OF u`;

/**
 * Whether these are two people who may do this together. Who has just made or reset the other's
 * account was shown its password, so the two may be one. The lock keeps who asked from being shut
 * out meanwhile.
 *
 * @throws Rejection `requester_gone`, `account_in_doubt`
 */
export const checkPair = async (
  client: PoolClient, requesterId: string, approverId: string,
): Promise<void> => {
  const { rows: [pair] } = await client.query<{ mayAsk: boolean; isInDoubt: boolean }>(
    PAIR, [requesterId, approverId]);
  if (pair?.mayAsk !== true) {
    throw new Rejection('requester_gone', 'who asked for this may not ask for it any more');
  }
  if (pair.isInDoubt) {
    throw new Rejection(
      'account_in_doubt',
      `one of you made or changed the other's account within ${DOUBT_DAYS} days: a third person ` +
        'approves',
    );
  }
};
