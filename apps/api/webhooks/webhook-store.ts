import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Pool } from 'pg';
import { DatabaseBusy, WAKE_CHANNEL, type Wakes } from '#log';

/**
 * How long to wait for further webhooks to store in the same commit. The provider can wait this
 * long for the response.
 */
const GATHER_MS = 10;
/**
 * The maximum number of webhooks in one transaction; consumers of the event log wait for the end of
 * the transaction.
 */
const MAX_BATCH = 100;
/**
 * The maximum number of webhooks that wait to be stored. The provider sends rejected webhooks
 * again.
 */
const MAX_WAITING = 2_000;

/** The fields of a webhook that are stored. */
export interface NewWebhook {
  readonly accountId: string;
  readonly eventId: string;
  readonly type: string;
  readonly intentId: string | null;
  readonly orderId: string | null;
  readonly status: string | null;
  readonly bodyBytes: number;
  readonly bodySha256: Buffer;
  /** Why the webhook requires no read of the provider; null: the webhook's intent must be read. */
  readonly ignored: string | null;
}

interface Waiting {
  readonly webhook: NewWebhook;
  readonly resolve: (outcome: 'stored' | 'known') => void;
  readonly reject: (error: Error) => void;
}

/**
 * Inserts webhooks. A trigger adds a job for each webhook that is not ignored, in the order of the
 * jobs' keys, so that two batches cannot deadlock.
 */
const STORE = `
  INSERT INTO webhooks_received
         (account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256, note,
          handled_at, tries)
  SELECT account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256,
         coalesce(ignored, ''), CASE WHEN ignored IS NOT NULL THEN clock_timestamp() END,
         (ignored IS NOT NULL)::integer
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                $7::integer[], $8::bytea[], $9::text[])
           AS w(account_id, event_id, type, intent_id, order_id, status, body_bytes, body_sha256,
                ignored)
   ORDER BY account_id || ' ' || coalesce(intent_id, ''), event_id
      ON CONFLICT (account_id, event_id) DO NOTHING
  RETURNING account_id, event_id,
            CASE WHEN $10::text IS NOT NULL THEN pg_notify('${WAKE_CHANNEL}', $10) END`;

const keyOf = (accountId: string, eventId: string): string => `${accountId} ${eventId}`;

/**
 * Whether storing the webhooks of the batch separately may succeed. SQLSTATE classes 21, 22 and 23:
 * the content of one webhook cannot be stored. 40 and 55: a deadlock or a lock timeout.
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

  /**
   * Resolves when the webhook is durably stored; `known`: an equal webhook had already been stored.
   * Rejects when it is not certain that the webhook is stored, and with `DatabaseBusy` when too
   * many webhooks wait.
   */
  store(webhook: NewWebhook): Promise<'stored' | 'known'> {
    const { length } = this.waiting;
    if (length >= MAX_WAITING) return Promise.reject(new DatabaseBusy(length));
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
        // The batch was rolled back. Each webhook is stored separately, so that one webhook's error
        // does not affect the others.
        for (const one of batch) await this.storeBatch([one]);
        return;
      }
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const { reject } of batch) reject(failure);
    }
  }

  /**
   * Inserts the webhooks; returns the keys (account and event id) of those that were not stored
   * before.
   */
  private async insert(webhooks: readonly NewWebhook[]): Promise<Set<string>> {
    const asksForReads = webhooks.some(({ ignored }) => ignored === null);
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
        webhooks.map(({ ignored }) => ignored),
        asksForReads ? this.wakes.notification('jobs') : null,
      ],
    });
    const keys = new Set(rows.map((row) => keyOf(row.account_id, row.event_id)));
    if (!asksForReads) return keys;
    // The committed webhooks have jobs that are due now.
    if (rows.length > 0) this.wakes.soon('jobs');
    // No new webhook was stored, so the notification for the jobs was not sent; the next commit
    // sends it.
    else this.wakes.notificationFailed();
    return keys;
  }
}
