import type { Pool } from 'pg';
import { type Clock, Rejection } from '#kernel';
import type { StepOnceParts } from '#operations';
import {
  type AcceptedLineKind,
  BOOKED_OF_LINE,
  correctionOf,
  LINE_SIGN,
  payoutAggregate,
} from '#payout';
import { firstRow } from '#platform';
import type { Action, Asked } from './action.js';
import { stepAction } from './step-action.js';

/**
 * The payout line of a break, with the money of both sides in minor units. Amounts of refunds and
 * disputes are negative.
 */
interface DifferingLine {
  readonly payoutId: string;
  readonly lineKind: AcceptedLineKind;
  readonly objectId: string;
  readonly bookedMinor: number;
  readonly bookedFeeMinor: number;
  readonly amountMinor: number;
  readonly feeMinor: number | null;
  readonly currency: string;
  /** An operator who closes a break books nothing, so its line can still be accepted. */
  readonly isClosedByFacts: boolean;
  readonly differsInCurrency: boolean;
}

/**
 * The payout line of a break, with the entry that the ledger contains for it. The corrections of
 * the line are read from the payout's events instead, because the ledger is updated after the
 * events with a delay. A line that the provider has removed is a line of zero. $1: the break's id.
 */
const DIFFERING_LINE = `
  SELECT x.payout_id AS "payoutId", x.line_kind AS "lineKind", x.object_id AS "objectId",
         ((${LINE_SIGN}) * booked.amount)::float8 AS "bookedMinor",
         booked.fee::float8 AS "bookedFeeMinor",
         coalesce((${LINE_SIGN}) * l.occurrences * l.amount_minor, 0)::float8 AS "amountMinor",
         CASE WHEN l.payout_id IS NULL THEN 0
              ELSE (l.occurrences * l.fee_minor)::float8 END AS "feeMinor",
         coalesce(l.currency, x.currency) AS currency,
         coalesce(x.closed_by = 'facts', false) AS "isClosedByFacts",
         coalesce(l.currency <> p.currency, false) OR coalesce(l.currency <> j.currency, false)
           AS "differsInCurrency"
    FROM reconciliation_exceptions x
    LEFT JOIN payout_list p ON p.payout_id = x.payout_id
    LEFT JOIN payout_lines l
      ON l.payout_id = x.payout_id AND l.kind = x.line_kind AND l.object_id = x.object_id
    ${BOOKED_OF_LINE}
   WHERE x.exception_id = $1 AND x.line_kind <> 'payout'
     AND x.kind IN ('unknown', 'amount', 'duplicate', 'fee')`;

/**
 * Opens the line's breaks again that operators have closed, because all differences of the line are
 * booked: the comparison closes them, and would not open them again after operators.
 */
const OPEN_AGAIN = `
  UPDATE reconciliation_exceptions o SET closed_at = NULL, closed_by = NULL, close_reason = NULL
    FROM reconciliation_exceptions x
   WHERE x.exception_id = $1 AND o.payout_id = x.payout_id AND o.line_kind = x.line_kind
     AND o.object_id = x.object_id AND o.closed_by <> 'facts'`;

/** Lets the account's payouts be compared again at once, which closes the breaks of the line. */
const COMPARE_NOW = `
  UPDATE jobs SET due_at = least(due_at, $2)
   WHERE state = 'waiting' AND kind = 'account.reconcile'
     AND account_id = (SELECT account_id FROM reconciliation_exceptions WHERE exception_id = $1)`;

const lineOf = async (pool: Pool, { target }: Asked): Promise<DifferingLine> => {
  const line = await firstRow<DifferingLine>(pool, DIFFERING_LINE, [target.subjectId]);
  if (line !== undefined) return line;
  throw new Rejection('entity_not_found', 'no break of a payout line to accept has this id');
};

/** Throws a `Rejection` if the line cannot be accepted. */
const acceptable = (line: DifferingLine): DifferingLine & { readonly feeMinor: number } => {
  const { feeMinor, isClosedByFacts, differsInCurrency } = line;
  if (isClosedByFacts) {
    throw new Rejection('entity_not_found', 'the line of this break does not differ any more');
  }
  if (feeMinor === null) {
    throw new Rejection('fee_not_shown', 'the provider shows no fee for the line');
  }
  if (differsInCurrency) {
    throw new Rejection(
      'line_differs_otherwise',
      'the line has another currency than the ledger or the payout, which cannot be booked',
    );
  }
  return { ...line, feeMinor };
};

/**
 * Accepts a payout line as the provider shows it: the ledger books the difference, and the next
 * comparison finds none. A second person must approve, because this changes what the provider owes
 * the merchant.
 */
export const acceptLine = (log: StepOnceParts, clock: Clock): Action =>
  stepAction(log, {
    takesTwo: true,
    subjectType: 'exception',
    correlationOf: async (asked) => (await lineOf(log.pool, asked)).payoutId,
    about: () => Promise.resolve(null),
    notes: async (asked) => {
      const line = acceptable(await lineOf(log.pool, asked));
      const { state } = await log.store.load(payoutAggregate, line.payoutId);
      const corrections = state.status === 'none' ? [] : state.lineCorrections;
      const corrected = correctionOf(corrections, line);
      return [
        {
          code: 'line_accepted',
          amountMinor: line.amountMinor,
          bookedMinor: line.bookedMinor + corrected.amountMinor,
          feeMinor: line.feeMinor,
          bookedFeeMinor: line.bookedFeeMinor + corrected.feesMinor,
          currency: line.currency,
        },
      ];
    },
    work: async (step, asked) => {
      const line = acceptable(await lineOf(log.pool, asked));
      const { payoutId, lineKind, objectId } = line;
      await step.execute(payoutAggregate, payoutId, {
        type: 'AcceptLine',
        lineKind,
        objectId,
        booked: { amountMinor: line.bookedMinor, feesMinor: line.bookedFeeMinor },
        shown: { amountMinor: line.amountMinor, feesMinor: line.feeMinor },
        at: clock.now(),
      });
    },
    afterwards: async ({ target }) => {
      await log.pool.query(OPEN_AGAIN, [target.subjectId]);
      await log.pool.query(COMPARE_NOW, [target.subjectId, clock.now()]);
    },
  });
