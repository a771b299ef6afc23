import type { Pool } from 'pg';
import { type Clock, Rejection } from '#kernel';
import type { StepOnceParts } from '#operations';
import { FEE_SQL, type LineKind, payoutAggregate } from '#payout';
import { firstRow } from '#platform';
import type { Action, Asked } from './action.js';
import { stepAction } from './step-action.js';

/** The payout line of a break of kind `fee`, with the fees of both sides in minor units. */
interface DifferingFee {
  readonly payoutId: string;
  readonly lineKind: LineKind;
  readonly objectId: string;
  readonly bookedMinor: number;
  readonly chargedMinor: number | null;
  readonly currency: string;
  readonly isOpen: boolean;
  readonly differsOtherwise: boolean;
}

/**
 * The payout line of a break, with the fee that the ledger contains for it, without the fee
 * corrections of the line's payout. These are read from the payout's events instead, because the
 * ledger is updated after the events with a delay. $1: the break's id.
 */
const DIFFERING_FEE = `
  SELECT l.payout_id AS "payoutId", l.kind AS "lineKind", l.journal_id AS "objectId",
         (${FEE_SQL} - coalesce((
           SELECT sum(o.fees_minor) FROM ledger_journal o
            WHERE o.account_id = j.account_id AND o.kind = 'fee_correction'
              AND o.object_id = j.object_id AND o.stream_id = l.payout_id), 0))::float8
           AS "bookedMinor",
         l.fee_minor::float8 AS "chargedMinor", l.currency,
         x.closed_at IS NULL AS "isOpen",
         l.currency <> j.currency OR l.occurrences > 1
         OR EXISTS (SELECT FROM payout_list p
                     WHERE p.payout_id = l.payout_id AND p.currency <> j.currency)
         OR EXISTS (SELECT FROM reconciliation_exceptions o
                     WHERE o.payout_id = x.payout_id AND o.line_kind = x.line_kind
                       AND o.object_id = x.object_id AND o.kind <> 'fee'
                       AND o.closed_at IS NULL) AS "differsOtherwise"
    FROM reconciliation_exceptions x
    JOIN payout_lines l
      ON l.payout_id = x.payout_id AND l.kind = x.line_kind AND l.object_id = x.object_id
    JOIN ledger_journal j
      ON j.account_id = l.account_id AND j.kind = l.kind AND j.object_id = l.journal_id
   WHERE x.exception_id = $1 AND x.kind = 'fee' AND x.line_kind <> 'dispute_reversal'`;

const CLOSE = `
  UPDATE reconciliation_exceptions SET closed_at = $2, closed_by = $3, close_reason = $4
   WHERE exception_id = $1 AND closed_at IS NULL`;

const feeOf = async (pool: Pool, { target }: Asked): Promise<DifferingFee> => {
  const fee = await firstRow<DifferingFee>(pool, DIFFERING_FEE, [target.subjectId]);
  if (fee !== undefined) return fee;
  throw new Rejection('entity_not_found', 'no break of the fee of a payout line has this id');
};

/** Throws a `Rejection` if the fee cannot be accepted. */
const acceptable = (fee: DifferingFee): DifferingFee & { readonly chargedMinor: number } => {
  const { chargedMinor, isOpen, differsOtherwise } = fee;
  if (!isOpen) {
    throw new Rejection('entity_not_found', 'no open reconciliation break with this id');
  }
  if (chargedMinor === null) {
    throw new Rejection('fee_not_shown', 'the provider shows no fee for the line');
  }
  if (differsOtherwise) {
    throw new Rejection(
      'line_differs_otherwise',
      'the line has other differences, which may explain the difference of the fee: ' +
        'resolve them first',
    );
  }
  return { ...fee, chargedMinor };
};

/**
 * Accepts the fee that the provider deducted for a payout line: the ledger books the difference,
 * and the break is closed. A second person must approve, because a fee reduces what the provider
 * owes the merchant.
 */
export const acceptFee = (log: StepOnceParts, clock: Clock): Action =>
  stepAction(log, {
    takesTwo: true,
    subjectType: 'exception',
    correlationOf: async (asked) => (await feeOf(log.pool, asked)).payoutId,
    about: () => Promise.resolve(null),
    notes: async (asked) => {
      const {
        chargedMinor: amountMinor,
        bookedMinor,
        currency,
      } = acceptable(await feeOf(log.pool, asked));
      const accepted = { code: 'fee_accepted', amountMinor, bookedMinor, currency } as const;
      return [accepted, { code: 'exception_closed' }];
    },
    work: async (step, asked) => {
      const { payoutId, lineKind, objectId, bookedMinor, chargedMinor } = acceptable(
        await feeOf(log.pool, asked),
      );
      const fees = { lineKind, objectId, bookedMinor, chargedMinor };
      await step.execute(payoutAggregate, payoutId, {
        type: 'AcceptFee',
        ...fees,
        at: clock.now(),
      });
    },
    afterwards: async ({ target, actor, reason }) => {
      await log.pool.query(CLOSE, [target.subjectId, clock.now(), actor, reason]);
    },
  });
