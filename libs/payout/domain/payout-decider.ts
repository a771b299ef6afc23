import type { Decider } from '#kernel';
import { Rejection } from '#kernel';
import { announcedLines, LINE_EXCEPTION_KINDS, linesText, sameLines } from './lines.js';
import { observePayout } from './observe-payout.js';
import type { PayoutCommand } from './payout-command.js';
import type { PayoutEvent } from './payout-event.js';
import { correctionOf, evolve, isRecorded } from './payout-evolve.js';
import type { AnnouncedPayout, Mismatch, Payout, Reconciliation } from './payout.js';

type Command<T extends PayoutCommand['type']> = PayoutCommand & { type: T };

const mustExist = (payout: Payout): AnnouncedPayout => {
  if (payout.status === 'none') throw new Rejection('payout_not_found', 'no payout has this id');
  return payout;
};

const noteLines = (payout: AnnouncedPayout, command: Command<'NoteLines'>): PayoutEvent[] => {
  const { lines, at } = command;
  // A failed payout pays nothing: its lines become part of the next payout, and are read with that
  // payout.
  if (payout.status === 'failed') return [];
  const areNew = payout.lines === null || !sameLines(payout.lines, lines);
  const events: PayoutEvent[] = areNew ? [{ type: 'PayoutLinesRead', lines, at }] : [];
  const announced = announcedLines(payout.terms);
  if (sameLines(announced, lines)) return events;
  const mismatch: Mismatch = {
    aspect: 'lines',
    expected: linesText(announced),
    observed: linesText(lines),
  };
  if (areNew || !isRecorded(payout, mismatch)) {
    events.push({ type: 'PayoutMismatchObserved', ...mismatch, at });
  }
  return events;
};

const sameResult = (a: Reconciliation, b: Reconciliation): boolean =>
  a.matched === b.matched &&
  LINE_EXCEPTION_KINDS.every((kind) => a.exceptions[kind] === b.exceptions[kind]);

const noteReconciliation = (
  payout: AnnouncedPayout,
  command: Command<'NoteReconciliation'>,
): PayoutEvent[] => {
  const { matched, exceptions, at } = command;
  if (payout.status === 'failed' || payout.lines === null) return [];
  if (payout.reconciliation && sameResult(payout.reconciliation, command)) return [];
  return [{ type: 'PayoutReconciled', matched, exceptions, at }];
};

/**
 * Corrects the ledger by the difference that earlier corrections of the line have left. So a line
 * that is accepted twice is booked once, and a correction without its difference is reversed.
 */
const acceptLine = (payout: AnnouncedPayout, command: Command<'AcceptLine'>): PayoutEvent[] => {
  const { lineKind, objectId, booked, shown, at } = command;
  if (payout.status === 'failed') {
    throw new Rejection(
      'payout_failed',
      'the payout failed: its lines become part of another payout, where they can be accepted',
    );
  }
  const isSent = payout.status === 'sent' || payout.status === 'paid';
  // Lines that are not the payout's totals are read daily: a line that changes has a break again.
  if (!isSent || payout.lines === null) {
    throw new Rejection(
      'payout_may_change',
      'the payout is not sent, or its lines were not all read yet: the lines may still change',
    );
  }
  const corrected = correctionOf(payout.lineCorrections, command);
  const amountMinor = shown.amountMinor - booked.amountMinor - corrected.amountMinor;
  const feesMinor = shown.feesMinor - booked.feesMinor - corrected.feesMinor;
  if (amountMinor === 0 && feesMinor === 0) return [];
  return [{ type: 'PayoutLineCorrected', lineKind, objectId, amountMinor, feesMinor, at }];
};

const decide = (payout: Payout, command: PayoutCommand): readonly PayoutEvent[] => {
  switch (command.type) {
    case 'ObservePayout':
      return observePayout(payout, command);
    case 'NoteLines':
      return noteLines(mustExist(payout), command);
    case 'NoteReconciliation':
      return noteReconciliation(mustExist(payout), command);
    case 'AcceptLine':
      return acceptLine(mustExist(payout), command);
  }
};

export const payoutDecider: Decider<Payout, PayoutCommand, PayoutEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
