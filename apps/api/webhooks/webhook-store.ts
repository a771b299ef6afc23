import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { WAKE_CHANNEL, type Wakes } from '#log';

/** Nobody waits for the answer to a webhook, and their commits are most of an order's. */
const GATHER_MS = 10;
/** Bounds one transaction: readers of the log wait for it. */
const MAX_BATCH = 100;

/** What is kept of a webhook. */
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

/** In the order of their jobs: no two batches wait for each other's in a circle. */
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
 * SQLSTATE classes 21, 22 and 23: what was sent cannot be stored. 40 and 55: it waited for a lock too
 * long, or in a circle.
 */
const isOfOne = (error: unknown): boolean =>
  error instanceof DatabaseError && /^(2[123]|40|55)/.test(error.code ?? '');

/** Stores webhooks together with those that come in the same moment. */
export class WebhookStore {
  private waiting: Waiting[] = [];
  private isStoring = false;

  constructor(
    private readonly pool: Pool,
    private readonly wakes: Wakes,
  ) {}

  /** Resolves when it is on disk; `known`: it was there already. Rejects when it may not be. */
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
        // Of two that are the same the first was stored.
        resolve(stored.delete(keyOf(accountId, eventId)) ? 'stored' : 'known');
      }
    } catch (error) {
      this.wakes.notificationFailed();
      if (batch.length > 1 && isOfOne(error)) {
        // Nothing of the batch was stored. What one of them holds or waits for must not fail the others.
        for (const one of batch) await this.storeBatch([one]);
        return;
      }
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const { reject } of batch) reject(failure);
    }
  }

  /** Answers those that were not there. */
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
    // Reads that are due have been stored with them.
    if (rows.length > 0) this.wakes.soon('jobs');
    // Of those that were there already nothing was sent.
    else this.wakes.notificationFailed();
    return new Set(rows.map((row) => keyOf(row.account_id, row.event_id)));
  }
}
