import { type Broken, type Check, countOf, isLongChaos, sum } from './check.js';
import { takenAt } from './money.js';

/**
 * The other checks prove nothing about movements of money that a run does not contain, so a long
 * run must contain each of these.
 */
const everyMovement: Check = {
  invariant: 5,
  name: 'money moved in each way: a dispute, a returned debit, a partial refund, two currencies',
  verify: ({ payments, facts }) => {
    if (facts.refundsRequested === null)
      return { isSkipped: true, figure: 'the run requested no refunds', broken: [] };
    const paymentOf = new Map(payments.map((one) => [one.id, one]));
    const refunded = facts.refundsMade.map(({ paymentId, amountMinor }) => {
      const payment = paymentOf.get(paymentId);
      return {
        isPartial: payment !== undefined && amountMinor < takenAt(payment),
        currency: payment?.intents[0]?.currency,
      };
    });
    const currencies = new Set(refunded.flatMap(({ currency }) => currency ?? []));
    const counts = [
      ['disputes', sum(payments.map((one) => countOf(one, 'DisputeObserved'))), 1],
      ['returned debits', sum(payments.map((one) => countOf(one, 'DirectDebitReturned'))), 1],
      ['partial refunds', refunded.filter(({ isPartial }) => isPartial).length, 1],
      ['currencies of refunds', currencies.size, 2],
    ] as const;
    return {
      figure: counts.map(([name, count]) => `${count} ${name}`).join(', '),
      broken: !isLongChaos(facts)
        ? []
        : counts
            .filter(([, count, least]) => count < least)
            .map(([name, count]): Broken => ({ id: 'the run', why: `${count} ${name}` })),
    };
  },
};

export const VARIETY_CHECKS: readonly Check[] = [everyMovement];
