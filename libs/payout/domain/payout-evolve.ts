import { assert } from '#kernel';
import type { PayoutEvent } from './payout-event.js';
import type { AnnouncedPayout, Mismatch, Payout } from './payout.js';

/** Whether this mismatch was already recorded. */
export const isRecorded = ({ mismatches }: AnnouncedPayout, one: Mismatch): boolean =>
  mismatches.some(
    ({ aspect, expected, observed }) =>
      aspect === one.aspect && expected === one.expected && observed === one.observed,
  );

export const evolve = (payout: Payout, event: PayoutEvent): Payout => {
  if (event.type === 'PayoutAnnounced') {
    const { type: _type, at: _at, ...terms } = event;
    // Of an earlier announcement only the corrections remain: the ledger contains them.
    const feeCorrections = payout.status === 'none' ? [] : payout.feeCorrections;
    const none = { lines: null, reconciliation: null, mismatches: [] };
    return { status: 'pending', terms, ...none, feeCorrections };
  }
  assert(payout.status !== 'none', 'a payout is announced before anything else happens to it');
  switch (event.type) {
    case 'PayoutStatusChanged': {
      const { terms, lines, reconciliation, feeCorrections, mismatches } = payout;
      const known = { terms, lines, reconciliation, feeCorrections, mismatches };
      if (event.status !== 'paid') return { status: event.status, ...known };
      return { status: 'paid', bankDate: event.bankDate, ...known };
    }
    case 'PayoutLinesRead': {
      // New lines replace the earlier ones, and with them what was found about these.
      const mismatches = payout.mismatches.filter(({ aspect }) => aspect !== 'lines');
      return { ...payout, lines: event.lines, reconciliation: null, mismatches };
    }
    case 'PayoutReconciled': {
      const { matched, exceptions } = event;
      return { ...payout, reconciliation: { matched, exceptions } };
    }
    case 'PayoutFeeCorrected': {
      const { lineKind, objectId, feesMinor } = event;
      const feeCorrections = [...payout.feeCorrections, { lineKind, objectId, feesMinor }];
      return { ...payout, feeCorrections };
    }
    case 'PayoutMismatchObserved': {
      const { aspect, expected, observed } = event;
      return { ...payout, mismatches: [...payout.mismatches, { aspect, expected, observed }] };
    }
  }
};
