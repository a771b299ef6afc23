import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import type { DueSource } from '../../clock/due-work.js';
import { Database } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';
import { isRejectedName, registration } from '../companies/company-status.js';
import { CompanyStore } from '../companies/company-store.js';
import { StatusChanges } from '../companies/status-changes.js';

/** Maximum number of companies read per query; each company changes in a separate transaction. */
const CHUNK = 100;

const DUE = {
  name: 'onboarding:due',
  text: `SELECT id FROM onboarding_companies WHERE due_at <= $1 ORDER BY due_at, id
         LIMIT ${CHUNK}`,
};

/** Executes the timed status changes of companies: each step of the review takes a day. */
@Injectable()
export class DueCompanies implements DueSource {
  readonly name = 'registrations';

  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CompanyStore) private readonly store: CompanyStore,
    @Inject(StatusChanges) private readonly changes: StatusChanges,
  ) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.database, 'onboarding_companies');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const due = await this.database.query<{ id: string }>(DUE, [upTo]);
      if (due.length === 0) return;
      for (const { id } of due) await this.move(id, upTo);
    }
  }

  async settled(): Promise<void> {
    // Nothing to wait for, because `begin` resolves only when its work is done.
  }

  /**
   * Changes one company after checking again under the lock: another process or a manual status
   * change may have changed it meanwhile.
   */
  private async move(id: string, upTo: Instant): Promise<void> {
    await this.database.transaction(async (tx) => {
      const company = await this.store.lockById(tx, id);
      if (company === null || company.due_at === null || company.due_at > upTo) return;
      const { status, file } = company;
      if (status === 'pendingActivation' && isRejectedName(file['legal-name'])) {
        const to = registration.next(status, 'reject');
        await this.changes.move(tx, company, to, company.due_at, { byService: true });
      } else if (status === 'pendingDeactivation') {
        const to = registration.next(status, 'end');
        await this.changes.move(tx, company, to, company.due_at);
      } else {
        const to = registration.next(status, 'pass');
        await this.changes.move(tx, company, to, company.due_at);
      }
    });
  }
}
