import { instantFromMs, newId } from '#kernel';
import { NO_LINES, payoutAggregate } from '#payout';
import type { ApiFixture } from '../api.fixture.js';

interface Owner {
  readonly platformId: string;
  readonly accountId: string;
}

export interface PaidOut {
  readonly payoutId: string;
  readonly exceptionId: string;
  readonly ledgerAccountId: string;
}

/**
 * Writes the rows that the worker writes for a payout of three payments, the last of which is
 * unknown to us.
 */
export const payOut = async (
  api: Pick<ApiFixture, 'store' | 'pool'>,
  { platformId, accountId }: Owner,
  date = '2026-03-02',
): Promise<PaidOut> => {
  const payoutId = newId('pout');
  const exceptionId = newId('exc');
  const card = { count: 3, amountMinor: 3_000, feesMinor: 42 };
  const [first, second] = [newId('pay'), newId('pay')];
  await api.store.execute(
    payoutAggregate,
    payoutId,
    {
      type: 'ObservePayout',
      at: instantFromMs(Date.now()),
      account: { accountId, platformId, merchantId: 'm1', mode: 'test' },
      observation: {
        status: 'sent',
        reference: 'R-1',
        currency: 'eur',
        amountMinor: 2_950,
        feesMinor: 42,
        feesVatMinor: 8,
        date,
        bankDate: null,
        totals: {
          payment: { card, sepa: NO_LINES },
          refund: { card: NO_LINES, sepa: NO_LINES },
          dispute: { card: NO_LINES, sepa: NO_LINES },
        },
      },
    },
    { correlationId: payoutId, causationId: 'spec', actor: 'provider', traceparent: null },
  );
  await api.pool.query(
    `INSERT INTO payout_list VALUES ($1, $2, $3, 'm1', 'test', 'R-1', 'eur', 2950, 42, 8, $4, 'sent',
       NULL, '{}', true, 2, '{"unknown":1,"amount":0,"currency":0,"duplicate":0,"fee":0}', 0, 2)`,
    [payoutId, accountId, platformId, date],
  );
  await api.pool.query(
    `INSERT INTO payout_lines SELECT $1, 'payment', 'paym_' || n, $2, 'paym_' || n,
       ($3::text[])[n], ($3::text[])[n], 'card', 'eur', 1000, 14 FROM generate_series(1, 3) AS n`,
    [payoutId, accountId, [first, second]],
  );
  await api.pool.query(
    `INSERT INTO ledger_journal SELECT gen_random_uuid(), 'payment', id, id, $1, $2, 'eur', 1000,
       -1000, 986, 0, 14, 0, 0, '2026-03-02T06:05:00Z', 'cap_' || id FROM unnest($3::text[]) AS id`,
    [accountId, platformId, [first, second]],
  );
  await api.pool.query(
    `INSERT INTO ledger_balances VALUES ($1, $2, 'eur', -2000, 1972, 0, 28, 0, 0)
         ON CONFLICT (platform_id, account_id, currency) DO UPDATE
        SET payer_minor = ledger_balances.payer_minor - 2000,
            provider_minor = ledger_balances.provider_minor + 1972,
            fees_minor = ledger_balances.fees_minor + 28`,
    [platformId, accountId],
  );
  await api.pool.query(
    `INSERT INTO reconciliation_exceptions VALUES ($1, 'unknown', $2, $3, 'm1', 'payment', 'paym_3',
       NULL, $4, 'eur', 1000, 'an entry of our journal', 'none', $5, $6)`,
    [exceptionId, accountId, platformId, payoutId, date, new Date()],
  );
  return { payoutId, exceptionId, ledgerAccountId: `${accountId}-eur-payer` };
};
