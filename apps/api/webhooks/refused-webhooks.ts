import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { SECOND_MS } from '#kernel';
import type { Logger } from '#platform';

/**
 * The reason of a refusal. Only operators see the reason; the response to the sender does not
 * contain it.
 */
export type RefusalReason =
  | 'unknown account'
  | 'no signature'
  | 'signature or time is wrong'
  | 'not an event';

/**
 * How many refused webhooks are stored per second: unauthenticated senders must not fill the table.
 * Above this rate, refused webhooks are only counted in the metrics.
 */
const KEPT_A_SECOND = 10;

/**
 * Refused webhooks with their reason, so that an operator sees a wrong secret or clock. Only the
 * size and a hash of a body are stored, since its content is not authenticated.
 */
export class RefusedWebhooks {
  private second = 0;
  private kept = 0;

  constructor(
    private readonly pool: Pool,
    private readonly logger: Logger,
  ) {}

  /**
   * Records a refused webhook. `accountId` is null for an unknown account: the id that the sender
   * gave is not stored.
   */
  note(accountId: string | null, reason: RefusalReason, rawBody: Buffer): void {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.second) [this.second, this.kept] = [second, 0];
    this.kept += 1;
    if (this.kept > KEPT_A_SECOND) return;
    const hash = createHash('sha256').update(rawBody).digest();
    // The insert is not awaited, because the response does not depend on it.
    this.pool
      .query({
        name: 'webhook-refused',
        text: `INSERT INTO webhooks_refused (account_id, reason, body_bytes, body_sha256)
             VALUES ($1, $2, $3, $4)`,
        values: [accountId, reason, rawBody.length, hash],
      })
      .catch((err: unknown) =>
        this.logger.debug({ err }, 'a refused webhook could not be recorded'),
      );
  }
}
