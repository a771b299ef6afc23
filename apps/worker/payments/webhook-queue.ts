import type { Pool } from 'pg';

/** A webhook that has arrived and is not handled. */
export interface ReceivedWebhook {
  /** `webhooks_received.id`, decimal. */
  readonly id: string;
  /** The provider's `evt_…`. */
  readonly eventId: string;
  readonly type: string;
  /** The intent that it is about, if any. */
  readonly intentId: string | null;
  /** The object's state when the event was made: our payment's id, and its status. */
  readonly paymentId: string | null;
  readonly status: string | null;
}

const HANDLED = `
  UPDATE webhooks_received SET handled_at = clock_timestamp(), tries = tries + 1, note = $2
   WHERE id = ANY ($1::bigint[]) AND handled_at IS NULL`;

const FAILED = `
  UPDATE webhooks_received SET tries = tries + 1, note = $2
   WHERE id = ANY ($1::bigint[]) AND handled_at IS NULL`;

/** The table `webhooks_received`: webhooks with their results. */
export class WebhookQueue {
  constructor(private readonly pool: Pool) {}

  /** These are finished; `note` says why for an operator. */
  async handled(ids: readonly string[], note: string): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query({ name: 'webhooks-handled', text: HANDLED, values: [ids, note] });
  }

  /** These stay open; `note` says why. */
  async failed(ids: readonly string[], note: string): Promise<void> {
    await this.pool.query({ name: 'webhooks-failed', text: FAILED, values: [ids, note] });
  }

  async open(): Promise<number> {
    const { rows } = await this.pool.query<{ open: number }>({
      name: 'webhooks-open',
      text: 'SELECT count(*)::int AS open FROM webhooks_received WHERE handled_at IS NULL',
    });
    return rows[0]?.open ?? 0;
  }
}
