import type { Pool } from 'pg';
import { type Clock, Rejection } from '#kernel';
import type { StepOnceParts } from '#operations';
import {
  type AcceptedLineKind,
  correctedOf,
  EARLIER_LINE,
  INHERITED_CORRECTIONS,
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
  readonly providerId: string;
  readonly bookedMinor: number;
  readonly bookedFeeMinor: number;
  readonly amountMinor: number;
  readonly feeMinor: number | null;
  readonly currency: string;
  readonly isOpen: boolean;
  readonly differsInCurrency: boolean;
}

/**
 * The payout line of a break, with what the ledger contains for it, without the corrections by the
 * line's payout. These are read from the payout's events instead, because the ledger is updated
 * after the events with a delay. An entry counts for the first line of its object. $1: the break's
 * id.
 */
const DIFFERING_LINE = `
  SELECT l.payout_id AS "payoutId", l.kind AS "lineKind",
         coalesce(l.journal_id, l.object_id) AS "objectId", l.object_id AS "providerId",
         ((${LINE_SIGN}) * (c.amount + CASE WHEN d.other IS NULL
                                            THEN coalesce(j.amount_minor, 0) ELSE 0 END))::float8
           AS "bookedMinor",
         (c.fee + CASE WHEN d.other IS NULL THEN coalesce(j.fees_minor, 0) ELSE 0 END)::float8
           AS "bookedFeeMinor",
         ((${LINE_SIGN}) * l.occurrences * l.amount_minor)::float8 AS "amountMinor",
         (l.occurrences * l.fee_minor)::float8 AS "feeMinor", l.currency,
         x.closed_at IS NULL AS "isOpen",
         coalesce(l.currency <> j.currency, false)
         OR coalesce(l.currency <> p.currency, false) AS "differsInCurrency"
    FROM reconciliation_exceptions x
    JOIN payout_lines l
      ON l.payout_id = x.payout_id AND l.kind = x.line_kind AND l.object_id = x.object_id
    LEFT JOIN payout_list p ON p.payout_id = l.payout_id
    LEFT JOIN ledger_journal j
      ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
   CROSS JOIN LATERAL (${EARLIER_LINE}) AS d
   CROSS JOIN LATERAL (${INHERITED_CORRECTIONS}) AS c
   WHERE x.exception_id = $1 AND x.kind IN ('unknown', 'amount', 'duplicate', 'fee')`;

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
  const { feeMinor, isOpen, differsInCurrency } = line;
  if (!isOpen) {
    throw new Rejection('entity_not_found', 'no open reconciliation break with this id');
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
      const corrected = correctedOf(state, line);
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
      const { payoutId, lineKind, objectId, providerId } = line;
      await step.execute(payoutAggregate, payoutId, {
        type: 'AcceptLine',
        lineKind,
        objectId,
        providerId,
        booked: { amountMinor: line.bookedMinor, feesMinor: line.bookedFeeMinor },
        shown: { amountMinor: line.amountMinor, feesMinor: line.feeMinor },
        at: clock.now(),
      });
    },
    afterwards: async ({ target }) => {
      await log.pool.query(COMPARE_NOW, [target.subjectId, clock.now()]);
    },
  });
