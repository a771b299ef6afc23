import type { PoolClient } from 'pg';

interface Rejected {
  readonly actionId: string;
  readonly kind: string;
  readonly target: object;
  readonly type: string;
  readonly id: string;
}

/**
 * Rejects the pending action requests that a user no longer has the right to make. Requires a lock
 * on the user's row.
 */
export const rejectRequestsOf = async (
  client: PoolClient,
  userId: string,
  origin: AuditOrigin,
  reason: string,
): Promise<void> => {
  const { rows } = await client.query<Rejected>(
    `UPDATE admin_actions SET status = 'rejected', decided_at = now(), ended_at = now(),
            private = NULL
      WHERE requested_by = $1 AND status = 'pending' AND expires_at > now()
     RETURNING id AS "actionId", kind, target, subject_type AS type, subject_id AS id`,
    [userId],
  );
  for (const { type, id, ...detail } of rows) {
    const entry = { action: 'action.rejected', subject: { type, id }, reason, detail };
    await recordAudit(client, origin, entry);
  }
};
import { type AuditOrigin, recordAudit } from '#operations';
