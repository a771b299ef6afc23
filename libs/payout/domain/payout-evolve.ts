import { assert, assertNever } from '#kernel';
import type { PayoutEvent } from './payout-event.js';
import type { Payout } from './payout.js';

type Mismatch = Extract<PayoutEvent, { type: 'PayoutMismatchObserved' }>;

export const mismatchKey = ({ aspect, expected, observed }: Mismatch): string =>
  `${aspect}:${expected}:${observed}`;

export const evolve = (payout: Payout, event: PayoutEvent): Payout => {
  if (event.type === 'PayoutAnnounced') {
    const { type: _type, at: _at, ...terms } = event;
    return { status: 'pending', terms, lines: null, reconciliation: null, mismatches: [] };
  }
  assert(payout.status !== 'none', 'a payout is announced before anything else happens to it');
  switch (event.type) {
    case 'PayoutMoved': {
      const { terms, lines, reconciliation, mismatches } = payout;
      const known = { terms, lines, reconciliation, mismatches };
      if (event.status !== 'paid') return { status: event.status, ...known };
      return { status: 'paid', dateBank: event.dateBank, ...known };
    }
    case 'PayoutLinesRead':
      return { ...payout, lines: event.lines };
    case 'PayoutReconciled': {
      const { matched, exceptions } = event;
      return { ...payout, reconciliation: { matched, exceptions } };
    }
    case 'PayoutMismatchObserved':
      return { ...payout, mismatches: [...payout.mismatches, mismatchKey(event)] };
    default:
      return assertNever(event);
  }
};
