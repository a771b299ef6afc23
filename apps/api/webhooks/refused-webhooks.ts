import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';

/** For people of ours alone: whoever sent it is not told. */
export type RefusalReason =
  | 'unknown account'
  | 'no signature'
  | 'signature or time is wrong'
  | 'not an event';

/** Strangers must not fill the table: more in a second are counted by the metrics alone. */
const KEPT_A_SECOND = 10;

/**
 * Webhooks that were not accepted, with why, so that a person sees a wrong secret or clock. Of their
 * bodies only the size and a hash are kept: nobody vouches for what is in them.
 */
export class RefusedWebhooks {
  private second = 0;
  private kept = 0;

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
  ) {}

  /** `accountId` is null where it is none of ours: what strangers call it is not kept. */
  note(accountId: string | null, reason: RefusalReason, rawBody: Buffer): void {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.second) [this.second, this.kept] = [second, 0];
    this.kept += 1;
    if (this.kept > KEPT_A_SECOND) return;
    const hash = createHash('sha256').update(rawBody).digest();
    // Nobody waits for it: it changes nothing of the answer.
    this.pool
      .query({
        name: 'webhook-refused',
        text: `INSERT INTO webhooks_refused (account_id, reason, body_bytes, body_sha256)
             VALUES ($1, $2, $3, $4)`,
        values: [accountId, reason, rawBody.length, hash],
      })
      .catch((err: unknown) => this.logger.debug({ err }, 'a refused webhook is not kept'));
  }
}
