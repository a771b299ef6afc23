import { randomUUID } from 'node:crypto';
import { instantFromMs, newId } from '#kernel';
import { logLag } from '#kafka';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { exists, paymentAggregate, type PaymentCommand, paymentList } from '#payment';
import { ProjectionRunner } from '#projections';
import { waitFor } from '#testing';
import type { ActionBench } from '../actions/actions.fixture.js';
import type { AdminFixture } from '../admin.fixture.js';

/** Updates the read model of payments, like a worker. */
export const projectPayments = async ({ pool }: AdminFixture): Promise<void> => {
  const runner = new ProjectionRunner(pool, new LogReader(pool, UPCASTERS), [paymentList]);
  // Other specs use the same server. Their open transactions can delay the visibility of new
  // events.
  await waitFor(async () => {
    while ((await runner.round()) > 0);
    return (await logLag(pool, 'projection:payment_list')).events === 0;
  });
};

/** Executes a command of a payment, and updates the read model of payments. */
export const paymentGoes = async (
  admin: AdminFixture,
  paymentId: string,
  ...commands: readonly PaymentCommand[]
): Promise<void> => {
  const { state } = await admin.store.load(paymentAggregate, paymentId);
  const metadata = {
    correlationId: exists(state) ? state.terms.orderId : paymentId,
    causationId: 'spec',
    actor: 'platform:shop',
    traceparent: null,
  };
  for (const command of commands) {
    await admin.store.execute(paymentAggregate, paymentId, command, metadata);
  }
  await projectPayments(admin);
};

/** Makes the provider show the captured payment with these captures, refunds and disputes. */
export const captureIs = async (
  admin: AdminFixture,
  paymentId: string,
  {
    captures,
    ...shown
  }: {
    readonly captures?: readonly object[];
    readonly refunds?: readonly object[];
    readonly disputes?: readonly object[];
  },
): Promise<void> => {
  const at = instantFromMs(Date.now());
  const { state } = await admin.store.load(paymentAggregate, paymentId);
  const intentId = 'intentId' in state ? state.intentId : '';
  const observation = {
    intent: {
      intentId,
      reference: paymentId,
      pageUrl: 'https://pay.test/p',
      status: 'captured',
      amountMinor: 1_250,
      currency: 'eur',
      ...(captures !== undefined && { captures }),
    },
    attempts: [],
    refunds: [],
    disputes: [],
    ...shown,
  };
  return paymentGoes(admin, paymentId, {
    type: 'ObservePayment',
    paymentId,
    ...(shown.refunds !== undefined && { resolves: 'refund' }),
    observation: observation as never,
    at,
  });
};

/** Makes the provider show our refund of 5.00 with this status. */
export const refundIs = async (
  admin: AdminFixture,
  paymentId: string,
  status: 'to_refund' | 'refund_sent' | 'refunded' | 'failed',
): Promise<void> => {
  const createdAt = instantFromMs(Date.now());
  const refund = { refundId: `refd_${paymentId}`, amountMinor: 500, currency: 'eur' };
  return captureIs(admin, paymentId, { refunds: [{ ...refund, status, createdAt }] });
};

/** Makes the provider show a dispute of the whole payment with this status. */
export const disputeIs = async (
  admin: AdminFixture,
  paymentId: string,
  status: 'open' | 'won',
): Promise<void> => {
  const dispute = {
    disputeId: `dspt_${paymentId}`,
    kind: 'chargeback',
    amountMinor: 1_250,
    currency: 'eur',
    feeMinor: 1_500,
    reasonCode: '4837',
    createdAt: instantFromMs(Date.now()),
  };
  return captureIs(admin, paymentId, { disputes: [{ ...dispute, status }] });
};

/**
 * Creates a refund of 5.00 whose provider request has failed, by default because the provider
 * rejected the API key.
 */
export const stuckRefund = async (
  bench: ActionBench,
  { isUnknown = false, note = 'unauthorized with 401' } = {},
) => {
  const { paymentId } = await bench.payment('captured');
  const [requestId, at] = [newId('rfr'), instantFromMs(Date.now())];
  const request = { type: 'RequestRefund', requestId, amountMinor: 500 } as const;
  const unknown = isUnknown ? [{ type: 'NoteUnknownOutcome', call: 'refund', at } as const] : [];
  await paymentGoes(
    bench.admin,
    paymentId,
    { ...request, reference: null, reason: null, at },
    ...unknown,
  );
  const { rows } = await bench.admin.pool.query<{ key: string }>(
    `UPDATE jobs SET state = 'stuck', note = $2, updated_at = now() - interval '1 hour'
      WHERE subject_id = $1 AND kind = 'refund' RETURNING key`,
    [paymentId, note],
  );
  return { id: `unpaid_refund:${requestId}`, jobId: rows[0]?.key ?? '', paymentId, requestId };
};

/**
 * Creates captures for this many payments. Their retries are exhausted, because the provider was
 * down.
 */
export const outage = async (
  { admin, accountId }: ActionBench,
  payments: number,
  began = new Date(),
): Promise<readonly string[]> => {
  const jobs = Array.from({ length: payments }, (_, index) => [randomUUID(), `pay_out${index}`]);
  for (const [key, paymentId] of jobs) {
    await admin.pool.query(
      `INSERT INTO payment_list VALUES ($1, 'ord_out', 'shop', $2, 1250, 'eur', 'authorized', null,
         '{}', '{}', 0, false, false, now(), 1) ON CONFLICT DO NOTHING`,
      [paymentId, accountId],
    );
    await admin.pool.query(
      `INSERT INTO jobs (key, kind, subject_id, account_id, state, attempts, due_at, note, updated_at)
       VALUES ($1, 'capture', $2, $3, 'stuck', 20, 'epoch', 'no response within ' || $4 || 'ms', $5)`,
      [key, paymentId, accountId, String(1000 + payments), began],
    );
  }
  return jobs.map(([key = '']) => key);
};
