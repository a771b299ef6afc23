import type { Clock } from '#kernel';
import { requestIdOf, type StepOnceParts } from '#operations';
import { type Existing, exists, isTaking, paymentAggregate, type Refund, refundOf } from '#payment';
import { aboutPayment } from './about.js';
import type { Action, Asked } from './action.js';
import type { Note } from './preview-codes.js';
import type { ActionAbout } from './preview-items.js';
import { notFound, orderOf } from './correlation.js';
import { stepAction } from './step-action.js';

/**
 * The actions on a failed refund: request the refund again (`reissue_refund`), or decide that the
 * payer gets no refund (`abandon_refund`).
 */
export const rejectedRefundActions = (
  log: StepOnceParts,
  clock: Clock,
): { readonly reissue_refund: Action; readonly abandon_refund: Action } => {
  const refundAsked = async ({
    target: { subjectId, requestId = '' },
  }: Asked): Promise<{ readonly payment: Existing; readonly refund: Refund }> => {
    const { state } = await log.store.load(paymentAggregate, subjectId);
    const refund = exists(state) ? refundOf(state.refunds, requestId) : null;
    if (!exists(state) || refund === null) throw notFound('refund');
    return { payment: state, refund };
  };
  const about = async (asked: Asked): Promise<ActionAbout | null> => {
    const { refund } = await refundAsked(asked);
    return aboutPayment(log.store, asked.target.subjectId, () => refund.amountMinor);
  };
  /**
   * The number of refunds by which the payer may already have got the amount: the failed refund may
   * have been requested again with another reference.
   */
  const equalRefunds = async (asked: Asked): Promise<readonly Note[]> => {
    const {
      payment: { refunds, terms },
      refund: { amountMinor },
    } = await refundAsked(asked);
    const count = refunds.filter(
      (refund) => refund.amountMinor === amountMinor && isTaking(refund),
    ).length;
    if (count === 0) return [];
    return [{ code: 'equal_refunds', count, amountMinor, currency: terms.currency }];
  };
  const parts = {
    takesTwo: true,
    subjectType: 'payment',
    correlationOf: orderOf(log.store),
    about,
  } as const;
  return {
    reissue_refund: stepAction(log, {
      ...parts,
      notes: equalRefunds,
      work: async (step, asked) => {
        const { subjectId, requestId: replaces = '' } = asked.target;
        const {
          refund: { amountMinor, reference, reason },
        } = await refundAsked(asked);
        await step.execute(paymentAggregate, subjectId, {
          type: 'RequestRefund',
          requestId: requestIdOf(asked),
          amountMinor,
          reference,
          reason,
          replaces,
          at: clock.now(),
        });
      },
    }),
    abandon_refund: stepAction(log, {
      ...parts,
      notes: async (asked) => {
        const one = await about(asked);
        if (one === null) return [];
        const { amountMinor, currency } = one;
        return [{ code: 'payer_not_refunded', amountMinor, currency }];
      },
      work: async (step, { target: { subjectId, requestId = '' } }) => {
        const command = { type: 'GiveUpRefund', requestId, at: clock.now() } as const;
        await step.execute(paymentAggregate, subjectId, command);
      },
    }),
  };
};
