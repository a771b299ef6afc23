import type { ApiFixture } from './api.fixture.js';

/**
 * Inserts the rows `…_0` to `…_2` into each list of the platform, in ascending order of creation
 * time, change time and amount. The first row differs from the other two in every field by which a
 * list can be filtered.
 */
export const plant = async (
  { pool }: ApiFixture,
  platformId: string,
  accountId: string,
  prefix: string,
): Promise<void> => {
  const each = `generate_series(0, 2) n, (SELECT $1::text platform, $2::text account, $3::text p) of`;
  const id = (kind: string) => `'${kind}_' || p || n`;
  const day = `timestamptz '2026-03-01' + n * interval '1 day'`;
  const changed = `timestamptz '2026-04-01' + n * interval '1 day'`;
  const first = (one: string, other: string) => `CASE n WHEN 0 THEN ${one} ELSE ${other} END`;
  const account = first('account', `'acc_other'`);
  const method = first(`'sepa'`, `'card'`);
  const values = [platformId, accountId, prefix];
  await pool.query(
    `INSERT INTO order_list (order_id, platform_id, merchant_id, account_id, reference, amount_minor,
       currency, status, payment_id, placed_at, updated_at, methods, version)
     SELECT ${id('ord')}, platform, ${first(`'m1'`, `'m2'`)}, ${account}, 'R-' || n, 1000 + n, 'eur',
       ${first(`'paid'`, `'open'`)}, null, ${day}, ${changed}, ARRAY[${method}], 1 FROM ${each}`,
    values,
  );
  await pool.query(
    `INSERT INTO payment_list (payment_id, order_id, platform_id, account_id, amount_minor, currency,
       status, method, intent_id, provider_ids, unknown_results, refunded_minor, disputed, mismatched,
       requested_at, updated_at, version)
     SELECT ${id('pay')}, ${id('ord')}, platform, ${account}, 1000 + n, 'eur',
       ${first(`'captured'`, `'open'`)}, ${method}, null, '{}', ${first(`'{capture}'::text[]`, `'{}'`)},
       0, n = 0, false, ${day}, ${changed}, 1 FROM ${each}`,
    values,
  );
  const parts = `${id('pay')}, ${id('ord')}, platform, ${account}, 'eur', ${method}, 1000 + n`;
  await pool.query(
    `INSERT INTO refund_list (refund_id, payment_id, order_id, platform_id, account_id, currency,
       method, amount_minor, status, requested, reference, created_at, updated_at, version)
     SELECT ${id('rfr')}, ${parts}, ${first(`'failed'`, `'refunded'`)}, true, 'R-' || n, ${day},
       ${changed}, 1 FROM ${each}`,
    values,
  );
  await pool.query(
    `INSERT INTO dispute_list (dispute_id, payment_id, order_id, platform_id, account_id, currency,
       method, amount_minor, kind, status, reason_code, payer_reason_code, created_at, updated_at, version)
     SELECT ${id('dspt')}, ${parts}, ${first(`'sepa_return'`, `'chargeback'`)},
       ${first(`'won'`, `'open'`)}, '4837', '45', ${day}, ${changed}, 1 FROM ${each}`,
    values,
  );
  await pool.query(
    `INSERT INTO payout_list (payout_id, account_id, platform_id, merchant_id, mode, reference,
       currency, amount_minor, fees_minor, fees_vat_minor, date, status, totals, lines_read, mismatches,
       updated_at, version)
     SELECT ${id('pout')}, ${account}, platform, ${first(`'m1'`, `'m2'`)}, 'test', 'R-' || n, 'eur',
       1000 + n, 0, 0, (${day})::date, ${first(`'failed'`, `'paid'`)}, '{}', false, 0, ${changed}, 1
       FROM ${each}`,
    values,
  );
};

const COMMON = [
  'currency=eur&amountFrom=1000&amountTo=1000',
  'merchantId=m1',
  'updatedFrom=2026-04-01T00:00:00Z&updatedTo=2026-04-01T00:00:00.001Z',
];
const DAY = 'from=2026-03-01T00:00:00Z&to=2026-03-01T00:00:00.001Z';

/** For each list, by name: the prefix of its ids, and the filters that match only its first row. */
export const NARROWED: Readonly<Record<string, readonly [kind: string, by: readonly string[]]>> = {
  orders: [
    'ord',
    [...COMMON, DAY, 'status=paid', 'status=paid&status=failed', 'reference=R-0', 'method=sepa'],
  ],
  payments: [
    'pay',
    [
      ...COMMON,
      DAY,
      'status=captured',
      'status=captured&status=returned',
      'method=sepa',
      'disputed=true',
      'unknownResults=true',
    ],
  ],
  refunds: [
    'rfr',
    [
      ...COMMON,
      DAY,
      'status=failed',
      'status=failed&status=not_honored',
      'reference=R-0',
      'method=sepa',
    ],
  ],
  disputes: [
    'dspt',
    [...COMMON, DAY, 'status=won', 'status=won&status=lost', 'kind=sepa_return', 'method=sepa'],
  ],
  payouts: [
    'pout',
    [
      ...COMMON,
      'from=2026-03-01&to=2026-03-02',
      'status=failed',
      'status=failed&status=sent',
      'reference=R-0',
    ],
  ],
};
