import type { Pool } from 'pg';

/** A webhook that came, taken by this worker for a while. */
export interface ReceivedWebhook {
  /** `webhooks_received.id`, decimal. */
  readonly id: string;
  readonly accountId: string;
  /** The provider's `evt_…`. */
  readonly eventId: string;
  readonly type: string;
  /** The intent that it is about, when it is about one. */
  readonly intentId: string | null;
  /** What the object showed when the event was made: our payment's id, and its status. */
  readonly paymentId: string | null;
  readonly status: string | null;
  /** How often it has been taken up, this time included. */
  readonly tries: number;
}

/** Wall time, milliseconds. Twice handled is once, so a claim only spares work. */
const CLAIM_MS = 30_000;

const CLAIM = `
  WITH chosen AS (
    SELECT w.id FROM webhooks_received w
     WHERE w.handled_at IS NULL
       AND (w.claimed_until IS NULL OR w.claimed_until < clock_timestamp())
       AND w.account_id <> ALL ($3)
     ORDER BY w.id LIMIT $1
       FOR UPDATE SKIP LOCKED)
  UPDATE webhooks_received w
     SET claimed_until = clock_timestamp() + $2 * interval '1 millisecond', tries = w.tries + 1
    FROM chosen WHERE w.id = chosen.id
  RETURNING w.id::text, w.account_id AS "accountId", w.event_id AS "eventId", w.type,
    w.intent_id AS "intentId", w.order_id AS "paymentId", w.status, w.tries`;

const HANDLED = `
  UPDATE webhooks_received SET handled_at = clock_timestamp(), claimed_until = NULL, note = $2
   WHERE id = ANY ($1::bigint[]) AND handled_at IS NULL`;

const PUT_BACK = `
  UPDATE webhooks_received
     SET claimed_until = clock_timestamp() + $2 * interval '1 millisecond', note = $3
   WHERE id = ANY ($1::bigint[]) AND handled_at IS NULL`;

/** The table `webhooks_received` as the workers share it. */
export class WebhookQueue {
  constructor(private readonly pool: Pool) {}

  /** The oldest open ones, at most `limit`; those of `passedOver` accounts wait. */
  async claim(
    limit: number, passedOver: readonly string[] = [],
  ): Promise<readonly ReceivedWebhook[]> {
    const { rows } = await this.pool.query<ReceivedWebhook>({
      name: 'claim-webhooks', text: CLAIM, values: [limit, CLAIM_MS, passedOver],
    });
    return rows;
  }

  /** Nothing is left to do for these; `note` says why for a person who looks. */
  async handled(ids: readonly string[], note: string): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query({ name: 'webhooks-handled', text: HANDLED, values: [ids, note] });
  }

  /** They stay, and are taken up again after `waitMs` of wall time. */
  async putBack(ids: readonly string[], waitMs: number, note: string): Promise<void> {
    await this.pool.query({ name: 'webhooks-back', text: PUT_BACK, values: [ids, waitMs, note] });
  }

  async open(): Promise<number> {
    const { rows } = await this.pool.query<{ open: number }>({
      name: 'webhooks-open',
      text: 'SELECT count(*)::int AS open FROM webhooks_received WHERE handled_at IS NULL',
    });
    return rows[0]?.open ?? 0;
  }
}
