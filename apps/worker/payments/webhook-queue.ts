import type { Pool } from 'pg';

/** A webhook that has arrived and is not handled yet. */
export interface ReceivedWebhook {
  /** `webhooks_received.id`, decimal. */
  readonly id: string;
  /** The provider's id of the event, `evt_…`. */
  readonly eventId: string;
  readonly type: string;
  /** The intent that the webhook is about, if any. */
  readonly intentId: string | null;
  /** The payment id and the status that the webhook itself contains. */
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

  /** Marks these webhooks as handled; `note` shows an operator why. */
  async handled(ids: readonly string[], note: string): Promise<void> {
    if (ids.length === 0) return;
    await this.pool.query({ name: 'webhooks-handled', text: HANDLED, values: [ids, note] });
  }

  /** Leaves these webhooks open; `note` says why. */
  async failed(ids: readonly string[], note: string): Promise<void> {
    await this.pool.query({ name: 'webhooks-failed', text: FAILED, values: [ids, note] });
  }

  async open(): Promise<number> {
    const { rows } = await this.pool.query<{ open: number }>(
      'SELECT count(*)::int AS open FROM webhooks_received WHERE handled_at IS NULL',
    );
    return rows[0]?.open ?? 0;
  }
}
