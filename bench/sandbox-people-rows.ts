import type { CopyRow } from './sandbox-copy.js';
import { base, idOf, isPassedOver, last4Of, type Sizes, timeAt } from './sandbox-row-parts.js';

export const people = (sizes: Sizes): Readonly<Record<string, (n: number) => CopyRow>> => {
  const { others, nowMs } = sizes;
  const deletedAt = (n: number) => (isPassedOver(others, n) ? timeAt(nowMs, n) : null);
  return {
    addresses: (n) => ({
      ...base(sizes, 'addr', n),
      zip_code: '75001',
      city: 'Paris',
      country: 'FR',
      deleted_at: deletedAt(n),
    }),
    customers: (n) => ({
      ...base(sizes, 'cust', n),
      email: `payer${n}@example.org`,
      name: `Payer ${n}`,
      deleted_at: deletedAt(n),
    }),
    cards: (n) => ({
      ...base(sizes, 'card', n),
      fingerprint: `card ${n}`,
      brand: 'cb',
      last4: last4Of(n),
      exp_month: 12,
      exp_year: 2090,
      deleted_at: deletedAt(n),
    }),
    sepa: (n) => ({
      ...base(sizes, 'sepa', n),
      fingerprint: `sepa ${n}`,
      last4: last4Of(n),
      country: 'FR',
      name: 'A payer',
      deleted_at: deletedAt(n),
    }),
    mandates: (n) => ({
      ...base(sizes, 'mndt', n),
      status: deletedAt(n) === null ? 'signed' : 'deleted',
      origin: 'import',
      sepa_id: idOf('sepa', n),
      rum: `RUM${n}`,
      sign_token: `sign${n}`,
      upload_token: `upload${n}`,
      signed_at: timeAt(nowMs, n),
      deleted_at: deletedAt(n),
    }),
    products: (n) => ({ ...base(sizes, 'prod', n), name: 'A product', deleted_at: deletedAt(n) }),
    prices: (n) => ({
      ...base(sizes, 'price', n),
      product_id: idOf('prod', n),
      amount: 100,
      currency: 'eur',
      deleted_at: deletedAt(n),
    }),
    subscriptions: (n) => ({
      ...base(sizes, 'sub', n),
      status: 'active',
      customer_id: idOf('cust', n),
      items: '[]',
      deleted_at: deletedAt(n),
    }),
  };
};
