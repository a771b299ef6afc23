import { Inject, Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import type { DueSource } from '../../clock/due-work.js';
import { Database } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';

const CHUNK = 1_000;

/** Ends expired codes. Locks their companies first, as `sendCode` and `sign` do. */
const EXPIRE = {
  name: 'due:contract-codes',
  text: `WITH held AS (
           SELECT c.id FROM onboarding_companies c
           WHERE c.id IN (
             SELECT company_id FROM onboarding_messages WHERE due_at <= $1
             ORDER BY due_at LIMIT ${CHUNK})
           ORDER BY c.id FOR UPDATE
         ), ended AS (
           UPDATE onboarding_companies c SET code_hash = NULL
           FROM held WHERE c.id = held.id AND c.code_expires_at <= $1
         ), erased AS (
           UPDATE onboarding_messages m SET body = NULL, due_at = NULL
           FROM held WHERE m.company_id = held.id AND m.due_at <= $1
         )
         SELECT count(*) AS count FROM held`,
};

/** Expires the codes that sign contracts. */
@Injectable()
export class DueContractCodes implements DueSource {
  readonly name = 'contract codes';

  constructor(@Inject(Database) private readonly database: Database) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.database, 'onboarding_messages');
  }

  async begin(upTo: Instant): Promise<void> {
    for (;;) {
      const [row] = await this.database.query<{ count: number }>(EXPIRE, [upTo]);
      if (row === undefined || row.count < CHUNK) return;
    }
  }

  async settled(): Promise<void> {
    // Nothing to wait for, because `begin` resolves only when its work is done.
  }
}
