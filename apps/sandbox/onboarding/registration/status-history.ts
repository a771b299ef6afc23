import { Inject, Injectable } from '@nestjs/common';
import type { PartnerScope } from '../../api/partner/partner-keys.js';
import { Database } from '../../storage/database.js';
import { type CompanyStatus, isEnding } from '../companies/company-status.js';
import type { HistoryQuery, HistoryRow } from './registration-wire.js';

interface ChangeRow {
  readonly seq: number;
  readonly company_id: string;
  readonly status: CompanyStatus;
  readonly terminated_by_service: boolean;
  readonly day: string;
}

/**
 * Selects the last change of each company in the period first, and then filters these changes by
 * status. See docs/provider/onboarding-completion.md#status-history.
 */
const WINDOW = {
  name: 'onboarding:history',
  text: `SELECT * FROM (
           SELECT DISTINCT ON (company_id) seq, company_id, status, terminated_by_service, day
           FROM onboarding_status_changes
           WHERE partner = $1 AND live = $2 AND day >= $3 AND day < $4
           ORDER BY company_id, at DESC, seq DESC
         ) last WHERE $5::text IS NULL OR status = $5 ORDER BY day, seq`,
};

@Injectable()
export class StatusHistory {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Returns the history, oldest first; `since` is inclusive, `until` exclusive. */
  async window(
    { partner, live }: PartnerScope,
    { since, until, status }: HistoryQuery,
  ): Promise<readonly HistoryRow[]> {
    const values = [partner, live, since, until, status ?? null];
    const rows = await this.database.query<ChangeRow>(WINDOW, values);
    return rows.map((row) => ({
      'date-update': row.day,
      id: row.company_id,
      status: row.status,
      ...(isEnding(row.status) ? { 'terminated-by-service': row.terminated_by_service } : {}),
    }));
  }
}
