import type { Pool, PoolClient } from 'pg';

/** The subject of an audited action. */
export interface AuditSubject {
  readonly type: string;
  readonly id: string;
}

/** Who acted, and in which request. */
export interface AuditOrigin {
  /**
   * `user:<id>`, `ops:<hash>` of an operating system login, `platform:…`, or `unknown` without a
   * session.
   */
  readonly actor: string;
  readonly requestId: string;
}

export interface AuditEntry {
  /** The audited action, e.g. `user.created`. */
  readonly action: string;
  readonly subject: AuditSubject | null;
  readonly reason?: string | null;
  /** Details of the action; they contain no secret and no personal data. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/**
 * Adds an audit entry, in the transaction of the audited change. Entries are never changed or
 * deleted.
 */
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
