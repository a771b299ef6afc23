import { Injectable } from '@nestjs/common';
import type { Instant } from '#kernel';
import type { DueSource } from '../../clock/due-work.js';
import { Database } from '../../storage/database.js';
import { nextDueOf } from '../../storage/next-due.js';

const CHUNK = 1_000;

const EXPIRE = {
  name: 'due:codes',
  text: `WITH due AS (
           SELECT id FROM signing_codes WHERE due_at <= $1
           ORDER BY due_at LIMIT ${CHUNK} FOR UPDATE
         ), expired AS (
           UPDATE signing_codes c SET due_at = NULL, status = 'expired', code_hash = NULL
           FROM due WHERE c.id = due.id RETURNING c.message_id
         ), erased AS (
           UPDATE messages m SET body = NULL FROM expired WHERE m.id = expired.message_id
         )
         SELECT count(*) AS count FROM expired`,
};

/** Expires signing codes and erases the messages that contain them. */
@Injectable()
export class DueCodes implements DueSource {
  readonly name = 'signing codes';

  constructor(private readonly database: Database) {}

  nextDue(): Promise<Instant | null> {
    return nextDueOf(this.database, 'signing_codes');
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
