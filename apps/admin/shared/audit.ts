import { Inject, Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { type AuditEntry, type AuditOrigin, type AuditSubject, recordAudit } from '#operations';

export type { AuditEntry, AuditOrigin, AuditSubject as Subject };

/** The audit: rows are only added. */
@Injectable()
export class Audit {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Pass the client of the audited transaction, if there is one. */
  async record(
    origin: AuditOrigin,
    entry: AuditEntry,
    client: Pool | PoolClient = this.pool,
  ): Promise<void> {
    await recordAudit(client, origin, entry);
  }
}
