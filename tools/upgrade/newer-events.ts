import { assert } from '#kernel';
import { waitFor } from '#testing';
import pg from 'pg';
import type { AcceptedFact } from '../chaos/facts.js';
import { runLoad } from '../chaos/load.js';
import { paidPlans } from '../chaos/scenario.js';
import type { Refunds } from '../chaos/refunds.js';
import type { RunningApp } from '../infra/apps.mjs';
import { Platform } from '../stack/platform.js';
import type { Stack } from '../stack/stack.js';

const WITHIN_MS = 120_000;
const RELAY = 'relay';
/**
 * Event types of payments and webhook endpoints that this checkout can read but the last release
 * cannot.
 */
const NEWER = ['RefundQueued', 'WebhookEndpointCreated'] as const;

/**
 * SQL condition: the relay's cursor has passed the event, because the event was published or its
 * stream was blocked.
 */
const PASSED = `EXISTS (SELECT FROM log_cursors c WHERE c.name = '${RELAY}'
  AND (c.epoch, c.transaction_id, c.position) >= (e.epoch, e.transaction_id, e.position))`;

export interface QueuedRefund {
  readonly accepted: readonly AcceptedFact[];
  readonly paymentId: string;
}

/** The number of streams that are blocked until an upgrade, from the metrics of a process. */
const awaitingUpgrade = async ({ internalUrl }: RunningApp): Promise<number> => {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('streams_awaiting_upgrade{'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Commits events that the last release cannot read, and checks how the releases handle them. */
export class NewerEvents {
  private readonly log: pg.Pool;
  private placed = 0;

  constructor(
    private readonly stack: Stack,
    private readonly refunds: Refunds,
    private readonly seed: number,
  ) {
    this.log = new pg.Pool({ connectionString: stack.databases.orchestrator, max: 1 });
  }

  /**
   * Pays an order, and requests its refund at an api of this checkout before the payment is
   * captured. The refund is queued by an event that the last release does not know.
   */
  async queueRefund(api: number): Promise<QueuedRefund> {
    const platform = Platform.of(this.stack);
    const accepted = await this.pay();
    const orderId = accepted[0]?.orderIds[0] ?? '';
    const { payment } = await waitFor(
      async () => {
        const order = await platform.read(orderId);
        return order.payment?.status === 'to_capture' ? order : null;
      },
      { timeoutMs: WITHIN_MS },
    );
    const paymentId = payment?.id ?? '';
    await this.refunds.requestNow(orderId, platform.only(api));
    assert((await this.eventsOf(paymentId)).at(-1) === 'RefundQueued', 'the refund is queued');
    return { accepted, paymentId };
  }

  /**
   * Waits until the worker of the last release has blocked the streams with newer events, and has
   * published a later order. Its relay is the only one that runs. Throws if the last release
   * reports no blocked stream.
   */
  async untilBlocked(worker: RunningApp): Promise<readonly AcceptedFact[]> {
    await waitFor(
      async () => {
        const { rows } = await this.log.query<{ type: string }>(
          'SELECT DISTINCT type FROM blocked_streams WHERE reader = $1',
          [RELAY],
        );
        return NEWER.every((type) => rows.some((row) => row.type === type));
      },
      { timeoutMs: WITHIN_MS },
    );
    const streams = await awaitingUpgrade(worker);
    assert(streams >= NEWER.length, `the last release reports its blocked streams: ${streams}`);
    const accepted = await this.pay();
    await this.untilPassed(accepted[0]?.orderIds[0] ?? '');
    return accepted;
  }

  /** Waits until no stream is blocked, and the relay has passed every event of the log. */
  async untilNothingBlocked(): Promise<void> {
    let blocked: readonly object[] = [];
    const isNothing = async (): Promise<boolean> => {
      blocked = (await this.log.query<object>('SELECT * FROM blocked_streams')).rows;
      return blocked.length === 0;
    };
    await waitFor(isNothing, { timeoutMs: WITHIN_MS }).catch((error: unknown) => {
      throw new Error(`streams are still blocked: ${JSON.stringify(blocked)}`, { cause: error });
    });
    const { rows } = await this.log.query<{ id: string }>(
      `SELECT stream_id AS id FROM events ORDER BY epoch DESC, transaction_id DESC, position DESC LIMIT 1`,
    );
    await this.untilPassed(rows[0]?.id ?? '');
  }

  async eventsOf(streamId: string): Promise<readonly string[]> {
    const { rows } = await this.log.query<{ type: string }>(
      'SELECT type FROM events WHERE stream_id = $1 ORDER BY version',
      [streamId],
    );
    return rows.map(({ type }) => type);
  }

  async openJobsOf(paymentId: string): Promise<readonly string[]> {
    const { rows } = await this.log.query<{ kind: string }>(
      `SELECT kind FROM jobs WHERE $1 IN (key, subject_id) AND state <> 'done'`,
      [paymentId],
    );
    return rows.map(({ kind }) => kind);
  }

  async close(): Promise<void> {
    await this.log.end();
  }

  private pay(): Promise<readonly AcceptedFact[]> {
    const { sandbox } = this.stack;
    const load = {
      platform: Platform.of(this.stack),
      sandbox,
      width: 1,
      onPlaced: () => undefined,
    };
    this.placed += 1;
    return runLoad(load, paidPlans(this.seed, 1, `newer-${this.placed}`));
  }

  private async untilPassed(streamId: string): Promise<void> {
    await waitFor(
      async () =>
        (
          await this.log.query(`SELECT FROM events e WHERE stream_id = $1 AND NOT ${PASSED}`, [
            streamId,
          ])
        ).rowCount === 0,
      { timeoutMs: WITHIN_MS },
    );
  }
}
