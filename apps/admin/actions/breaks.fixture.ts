import { instantFromMs, newId } from '#kernel';
import { untraced } from '#log';
import { NO_LINES, payoutAggregate } from '#payout';
import type { Pool } from 'pg';
import type { AdminFixture } from '../admin.fixture.js';

/** A sent payout of 19.70 with one line, which may not be read yet. */
const observePayout = async (
  store: AdminFixture['store'],
  payoutId: string,
  accountId: string,
  areLinesRead: boolean,
): Promise<void> => {
  const card = { count: 1, amountMinor: 1_999, feesMinor: 24 };
  const none = { card: NO_LINES, sepa: NO_LINES };
  const at = instantFromMs(Date.now());
  const metadata = untraced(payoutId, 'spec', 'provider');
  await store.execute(
    payoutAggregate,
    payoutId,
    {
      type: 'ObservePayout',
      at,
      account: { accountId, platformId: 'shop', merchantId: 'm1', mode: 'test' },
      observation: {
        status: 'sent',
        reference: 'R-1',
        currency: 'eur',
        amountMinor: 1_970,
        feesMinor: 24,
        feesVatMinor: 5,
        date: '2026-03-02',
        bankDate: null,
        totals: { payment: { card, sepa: NO_LINES }, refund: none, dispute: none },
      },
    },
    metadata,
  );
  if (areLinesRead) {
    const lines = { payment: card, refund: NO_LINES, dispute: NO_LINES };
    await store.execute(payoutAggregate, payoutId, { type: 'NoteLines', lines, at }, metadata);
  }
};

/**
 * A break of a payout line of 19.99 for which the provider deducted a fee of 0.24 instead of 0.21.
 * The ledger contains no correction yet; returns the ids.
 */
export const differingFee = async (
  { pool, store }: Pick<AdminFixture, 'pool' | 'store'>,
  accountId: string,
  chargedMinor: number | null = 24,
  areLinesRead = true,
): Promise<{
  readonly exceptionId: string;
  readonly payoutId: string;
  readonly paymentId: string;
  readonly lineId: string;
}> => {
  const [exceptionId, payoutId, paymentId] = [newId('exc'), newId('pout'), newId('pay')];
  const lineId = newId('paym');
  await observePayout(store, payoutId, accountId, areLinesRead);
  await pool.query(
    `INSERT INTO payout_lines (payout_id, kind, object_id, account_id, provider_payment_id,
            payment_id, journal_id, method, currency, amount_minor, fee_minor)
     VALUES ($1, 'payment', $2, $3, $2, $4, $4, 'card', 'eur', 1999, $5)`,
    [payoutId, lineId, accountId, paymentId, chargedMinor],
  );
  await pool.query(
    `INSERT INTO ledger_journal (event_id, kind, object_id, stream_id, account_id, platform_id,
            currency, amount_minor, payer_minor, provider_minor, merchant_minor, fees_minor,
            vat_minor, disputes_minor, at)
     VALUES (gen_random_uuid(), 'payment', $1, $1, $2, 'shop', 'eur', 1999, -1999, 1978, 0, 21, 0,
             0, now())`,
    [paymentId, accountId],
  );
  await pool.query(
    `INSERT INTO reconciliation_exceptions (exception_id, kind, account_id, platform_id,
            merchant_id, line_kind, object_id, payment_id, payout_id, currency, amount_minor,
            expected, observed, since, found_at)
     VALUES ($1, 'fee', $2, 'shop', 'm1', 'payment', $3, $4, $5, 'eur', 1999, '21', '24', now(),
             now())`,
    [exceptionId, accountId, lineId, paymentId, payoutId],
  );
  return { exceptionId, payoutId, paymentId, lineId };
};

/** A break of a payment of 12.50 that is in no payout; returns the break's id. */
export const missingPayment = async (pool: Pool, accountId: string): Promise<string> => {
  const exceptionId = newId('exc');
  await pool.query(
    `INSERT INTO reconciliation_exceptions (exception_id, kind, account_id, platform_id,
            merchant_id, line_kind, object_id, currency, amount_minor, expected, observed,
            since, found_at)
     VALUES ($1, 'missing', $2, 'shop', 'm1', 'payment', 'paym_1', 'eur', 1250, '12.50', '',
             now(), now())`,
    [exceptionId, accountId],
  );
  return exceptionId;
};
