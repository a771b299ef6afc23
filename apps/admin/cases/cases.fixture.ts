import { randomUUID } from 'node:crypto';
import { instantFromMs } from '#kernel';
import { logLag } from '#kafka';
import { LogReader } from '#log';
import { UPCASTERS } from '#orchestrator';
import { exists, paymentAggregate, type PaymentCommand, paymentList } from '#payment';
import { ProjectionRunner } from '#projections';
import { waitFor } from '#testing';
import type { ActionBench } from '../actions/actions.fixture.js';
import type { AdminFixture } from '../admin.fixture.js';

/** Updates the list of payments as a worker would. */
export const projectPayments = async ({ pool }: AdminFixture): Promise<void> => {
  const runner = new ProjectionRunner(pool, new LogReader(pool, UPCASTERS), [paymentList]);
  // Open transactions of other specs on the same server hide new events for a moment.
  await waitFor(async () => {
    while ((await runner.round()) > 0);
    return (await logLag(pool, 'projection:payment_list')).events === 0;
  });
};

/** Executes a command of a payment, and updates the list of payments. */
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

/** The provider shows that our refund of 5.00 was made and has paid the payer. */
export const payerIsPaid = (admin: AdminFixture, paymentId: string, intentId: string) => {
  const at = instantFromMs(Date.now());
  const observation = {
    intent: {
      intentId,
      reference: paymentId,
      pageUrl: 'https://pay.test/p',
      status: 'captured',
      amountMinor: 1_250,
      currency: 'eur',
    },
    attempts: [],
    refunds: [
      {
        refundId: 'refd_paid',
        amountMinor: 500,
        currency: 'eur',
        status: 'refunded',
        createdAt: at,
      },
    ],
    disputes: [],
  };
  return paymentGoes(admin, paymentId, {
    type: 'ObservePayment',
    paymentId,
    resolves: 'refund',
    observation: observation as never,
    at,
  });
};

/** Captures of this many payments whose retries are exhausted, because the provider was down. */
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
