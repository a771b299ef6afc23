import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { WAKE_CHANNEL, type Wakes } from '#log';

/** A short wait for more webhooks: the response is not urgent, and their commits are numerous. */
const GATHER_MS = 10;
/** Limits one transaction: readers of the log wait for it. */
const MAX_BATCH = 100;

/** What is stored of a webhook. */
export interface NewWebhook {
  readonly accountId: string;
  readonly eventId: string;
  readonly type: string;
  readonly intentId: string | null;
  readonly orderId: string | null;
  readonly status: string | null;
  readonly bodyBytes: number;
  readonly bodySha256: Buffer;
}

interface Waiting {
  readonly webhook: NewWebhook;
  readonly resolve: (outcome: 'stored' | 'known') => void;
  readonly reject: (error: Error) => void;
}

/** In the order of their jobs, so that two batches cannot deadlock. */
const STORE = `
  INSERT INTO webhooks_received
         (account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256)
  SELECT w.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                         $7::integer[], $8::bytea[])
           AS w(account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256)
   ORDER BY account_id || ' ' || coalesce(intent_id, ''), event_id
      ON CONFLICT (account_id, event_id) DO NOTHING
  RETURNING account_id, event_id,
            CASE WHEN $9::text IS NOT NULL THEN pg_notify('${WAKE_CHANNEL}', $9) END`;

const keyOf = (accountId: string, eventId: string): string => `${accountId} ${eventId}`;

/**
 * SQLSTATE classes 21, 22 and 23: the content cannot be stored. 40 and 55: a deadlock or a lock
 * timeout.
 */
const isOfOne = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(2[123]|40|55)/.test(error.code ?? '');

/** Stores concurrent webhooks in one transaction. */
export class WebhookStore {
  private waiting: Waiting[] = [];
  private isStoring = false;

  constructor(
    private readonly pool: Pool,
    private readonly wakes: Wakes,
  ) {}

  /** Resolves when the webhook is durable; `known`: stored before. Rejects when it may not be. */
  store(webhook: NewWebhook): Promise<'stored' | 'known'> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ webhook, resolve, reject });
      if (!this.isStoring) void this.storeAll();
    });
  }

  private async storeAll(): Promise<void> {
    this.isStoring = true;
    while (this.waiting.length > 0) {
      await sleep(GATHER_MS);
      await this.storeBatch(this.waiting.splice(0, MAX_BATCH));
    }
    this.isStoring = false;
  }

  private async storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await this.insert(batch.map(({ webhook }) => webhook));
      for (const {
        webhook: { accountId, eventId },
        resolve,
      } of batch) {
        // Of two equal webhooks in a batch, the first is stored.
        resolve(stored.delete(keyOf(accountId, eventId)) ? 'stored' : 'known');
      }
    } catch (error) {
      this.wakes.notificationFailed();
      if (batch.length > 1 && isOfOne(error)) {
        // Nothing of the batch was stored. Each is tried alone, so that one does not fail the
        // others.
        for (const one of batch) await this.storeBatch([one]);
        return;
      }
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const { reject } of batch) reject(failure);
    }
  }

  /** Returns the keys of the new webhooks. */
  private async insert(webhooks: readonly NewWebhook[]): Promise<Set<string>> {
    const { rows } = await this.pool.query<{ account_id: string; event_id: string }>({
      name: 'webhooks-received',
      text: STORE,
      values: [
        webhooks.map(({ accountId }) => accountId),
        webhooks.map(({ eventId }) => eventId),
        webhooks.map(({ type }) => type),
        webhooks.map(({ intentId }) => intentId),
        webhooks.map(({ orderId }) => orderId),
        webhooks.map(({ status }) => status),
        webhooks.map(({ bodyBytes }) => bodyBytes),
        webhooks.map(({ bodySha256 }) => bodySha256),
        this.wakes.notification('jobs'),
      ],
    });
    // Reads that are due were stored with them.
    if (rows.length > 0) this.wakes.soon('jobs');
    // Without a new row, no notification was sent.
    else this.wakes.notificationFailed();
    return new Set(rows.map((row) => keyOf(row.account_id, row.event_id)));
  }
}
