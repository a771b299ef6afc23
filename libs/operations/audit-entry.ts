import type { Pool, PoolClient } from 'pg';

/** The thing that something was done to. */
export interface AuditSubject {
  readonly type: string;
  readonly id: string;
}

/** Who did it, and by which request. */
export interface AuditOrigin {
  /** `user:<id>`, `ops:<hash>` of a log-in, `platform:…`, or `unknown` without a session. */
  readonly actor: string;
  readonly requestId: string;
}

export interface AuditEntry {
  /** What was done, e.g. `user.created`. */
  readonly action: string;
  readonly subject: AuditSubject | null;
  readonly reason?: string | null;
  /** No secret, and nothing personal. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** For ever: rows are added and never changed. In the transaction of what it records. */
export const recordAudit = async (
  db: Pool | PoolClient,
  { actor, requestId }: AuditOrigin,
  entry: AuditEntry,
): Promise<void> => {
  const { action, subject, reason = null, detail = {} } = entry;
  await db.query(
    `INSERT INTO audit (actor, action, subject_type, subject_id, reason, request_id, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      actor,
      action,
      subject?.type ?? null,
      subject?.id ?? null,
      reason,
      requestId,
      JSON.stringify(detail),
    ],
  );
};
