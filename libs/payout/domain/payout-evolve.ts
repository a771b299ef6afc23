import { assert } from '#kernel';
import type { LineCorrection, PayoutEvent } from './payout-event.js';
import type { AnnouncedPayout, Mismatch, Payout } from './payout.js';

/** Whether this mismatch was already recorded. */
export const isRecorded = ({ mismatches }: AnnouncedPayout, one: Mismatch): boolean =>
  mismatches.some(
    ({ aspect, expected, observed }) =>
      aspect === one.aspect && expected === one.expected && observed === one.observed,
  );

type LineRef = Pick<LineCorrection, 'lineKind' | 'objectId'>;

const isOf =
  ({ lineKind, objectId }: LineRef) =>
  (one: LineRef): boolean =>
    one.lineKind === lineKind && one.objectId === objectId;

/** The correction of a line; zero without one. */
export const correctionOf = (
  corrections: readonly LineCorrection[],
  { lineKind, objectId }: LineRef,
): LineCorrection =>
  corrections.find(isOf({ lineKind, objectId })) ?? {
    lineKind,
    objectId,
    amountMinor: 0,
    feesMinor: 0,
  };

const added = (
  corrections: readonly LineCorrection[],
  more: LineCorrection,
): readonly LineCorrection[] => {
  const { lineKind, objectId, ...before } = correctionOf(corrections, more);
  const amountMinor = before.amountMinor + more.amountMinor;
  const feesMinor = before.feesMinor + more.feesMinor;
  const isCorrected = isOf(more);
  const others = corrections.filter((one) => !isCorrected(one));
  if (amountMinor === 0 && feesMinor === 0) return others;
  return [...others, { lineKind, objectId, amountMinor, feesMinor }];
};

export const evolve = (payout: Payout, event: PayoutEvent): Payout => {
  if (event.type === 'PayoutAnnounced') {
    const { type: _type, at: _at, ...terms } = event;
    const none = { lines: null, reconciliation: null, lineCorrections: [], mismatches: [] };
    return { status: 'pending', terms, ...none };
  }
  assert(payout.status !== 'none', 'a payout is announced before anything else happens to it');
  switch (event.type) {
    case 'PayoutStatusChanged': {
      const { terms, lines, reconciliation, lineCorrections, mismatches } = payout;
      const known = { terms, lines, reconciliation, lineCorrections, mismatches };
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
    case 'PayoutLineCorrected': {
      return { ...payout, lineCorrections: added(payout.lineCorrections, event) };
    }
    case 'PayoutMismatchObserved': {
      const { aspect, expected, observed } = event;
      return { ...payout, mismatches: [...payout.mismatches, { aspect, expected, observed }] };
    }
  }
};
