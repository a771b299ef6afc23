import { type Broken, type Check, isLong } from './check.js';

const KINDS = ['refund', 'capture', 'cancellation'] as const;

const acknowledgedRecorded: Check = {
  invariant: 0,
  name:
    'each refund, capture and cancellation that was answered with 202 was in the log before any ' +
    'repair, and no other refund',
  verify: ({ facts }) => {
    const { acknowledged, refundsRequested } = facts;
    if (acknowledged === null)
      return { isSkipped: true, figure: 'the run noted no responses', broken: [] };
    const { requests, unacknowledged } = acknowledged;
    const counts = KINDS.map((kind) => ({
      kind,
      count: requests.filter((one) => one.kind === kind).length,
    }));
    // In a long run some cancellations must have been acknowledged, and some refunds if the run
    // requests refunds. No number of captures is required.
    const needed = refundsRequested === null ? ['cancellation'] : ['cancellation', 'refund'];
    const tame = isLong(facts)
      ? counts.filter(({ kind, count }) => needed.includes(kind) && count === 0)
      : [];
    return {
      figure: counts.map(({ kind, count }) => `${count} ${kind}s`).join(', '),
      broken: [
        ...requests
          .filter(({ isRecorded }) => !isRecorded)
          .map(({ kind, orderId, id }): Broken => ({
            id: orderId,
            why: `its ${kind} ${id ?? ''} was answered with 202, but was not in the log`,
          })),
        ...unacknowledged.map((id): Broken => ({
          id,
          why: 'has a refund in the log that was never answered with 202',
        })),
        ...tame.map(({ kind }): Broken => ({
          id: 'the run',
          why: `no ${kind} was answered with 202`,
        })),
      ],
    };
  },
};

export const ACKNOWLEDGED_CHECKS: readonly Check[] = [acknowledgedRecorded];
