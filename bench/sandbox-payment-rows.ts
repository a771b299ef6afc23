import type { CopyRow } from './sandbox-copy.js';
import {
  base,
  busyCardOf,
  idOf,
  isDisputed,
  isPassedOver,
  isRefunded,
  methodOf,
  payoutOf,
  type Sizes,
  statusOf,
  timeAt,
} from './sandbox-row-parts.js';

type RowOf = (n: number) => CopyRow | null;

const SUM = { amount: 1_250, currency: 'eur' };

export const paymentRows = (sizes: Sizes): Readonly<Record<string, RowOf>> => {
  const { payments, others } = sizes;
  const hidden = (n: number) => isPassedOver(payments, n);
  const other = (n: number) => 1 + (n % others);
  const cardOf = (n: number, otherwise: number): string =>
    idOf('card', n % 2 === 0 ? busyCardOf(sizes) : otherwise);
  const references = (n: number) => ({
    customer_id: idOf('cust', other(n)),
    order_id: `order-${n}`,
    unique_id: `unique-${n}`,
    card_id: methodOf(sizes, n) === 'card' ? cardOf(n, other(n)) : null,
    sepa_id: methodOf(sizes, n) === 'sepa' ? idOf('sepa', other(n)) : null,
  });
  return {
    payment_intents: (n) => ({
      ...base(sizes, 'pi', n),
      ...SUM,
      ...references(n),
      status: 'captured',
      capture: true,
      methods_allowed: ['card'],
      payment_id: idOf('paym', n),
      single_call: hidden(n),
    }),
    payments: (n) => ({
      ...base(sizes, 'paym', n),
      ...SUM,
      ...references(n),
      intent_id: idOf('pi', n),
      status: statusOf(sizes, n),
      capture: true,
      response: '00',
      method: methodOf(sizes, n),
      single_call: hidden(n),
      fee: 16,
      payout_id: payoutOf(sizes, n),
    }),
  };
};

/** The rows of refunds, disputes, payout lines and messages. */
export const settledRows = (sizes: Sizes): Readonly<Record<string, RowOf>> => {
  const { nowMs } = sizes;
  return {
    refunds: (n) =>
      isRefunded(n)
        ? {
            ...base(sizes, 'refd', n),
            status: 'refunded',
            payment_id: idOf('paym', n),
            amount: 100,
            currency: 'eur',
            payout_id: payoutOf(sizes, n),
          }
        : null,
    disputes: (n) =>
      isDisputed(n)
        ? {
            ...base(sizes, 'dspt', n),
            ...SUM,
            status: 'lost',
            type: 'chargeback',
            payment_id: idOf('paym', n),
            intent_id: idOf('pi', n),
            fee: 1_500,
            response: '45',
            payout_id: payoutOf(sizes, n),
          }
        : null,
    payout_lines: (n) => ({
      ...base(sizes, 'line', n),
      ...SUM,
      kind: 'payment',
      payment_id: idOf('paym', n),
      method: methodOf(sizes, n),
      fee: 16,
      // Every hundredth payment is not in a payout yet: it will be in the payout of the next
      // morning.
      payout_id: n % 100 === 0 ? null : payoutOf(sizes, n),
      due_at: n % 100 === 0 ? timeAt(nowMs + 86_400_000, 0) : null,
    }),
    messages: (n) =>
      n % 3 === 0
        ? {
            ...base(sizes, 'msg', n),
            recipient: '+33600000000',
            body: 'A message',
            intent_id: idOf('pi', n),
          }
        : null,
  };
};
