import type { StepBuilder } from '#log';
import { assert, type Clock } from '#kernel';
import { merchantAggregate } from '#onboarding';
import type { StepOnceParts } from '#operations';
import { paymentAggregate } from '#payment';
import { aboutPayment } from './about.js';
import type { Action, Asked, Target } from './action.js';
import { notFound, orderOf } from './correlation.js';
import type { Note } from './preview-codes.js';
import { stepAction } from './step-action.js';

const isMerchant = ({ subjectId }: Target): boolean => subjectId.startsWith('mer_');

/**
 * A mismatch is written as `aspect:expected:observed`. A value may contain a colon, an aspect does
 * not.
 */
const MISMATCH = /^([^:]*):(.*?):(.*)$/s;

const noteOf = (mismatch: string): Note => {
  const [, aspect = '', expected = '', observed = ''] = MISMATCH.exec(mismatch) ?? [];
  return { code: 'mismatch_reviewed', aspect, expected, observed };
};

const ofPayment = (log: StepOnceParts, clock: Clock): Action =>
  stepAction(log, {
    takesTwo: true,
    subjectType: 'payment',
    correlationOf: orderOf(log.store),
    about: ({ target }) => aboutPayment(log.store, target.subjectId),
    notes: async ({ target }) => {
      const { state } = await log.store.load(paymentAggregate, target.subjectId);
      assert(state.status !== 'none', 'the payment was found before');
      const { mismatches, reviewedMismatches = 0 } = state;
      return mismatches.slice(reviewedMismatches).map(noteOf);
    },
    work: async (step: StepBuilder, { target }: Asked) => {
      const review = { type: 'ReviewMismatches', at: clock.now() } as const;
      await step.execute(paymentAggregate, target.subjectId, review);
    },
  });

const ofMerchant = (log: StepOnceParts, clock: Clock): Action =>
  stepAction(log, {
    takesTwo: true,
    subjectType: 'merchant',
    correlationOf: async ({ target }) => {
      const { state } = await log.store.load(merchantAggregate, target.subjectId);
      if (state.status === 'none') throw notFound('merchant');
      return target.subjectId;
    },
    about: () => Promise.resolve(null),
    notes: async ({ target }) => {
      const { state } = await log.store.load(merchantAggregate, target.subjectId);
      assert(state.status !== 'none', 'the merchant was found before');
      return state.unreviewed.map(noteOf);
    },
    work: async (step: StepBuilder, { target }: Asked) => {
      const review = { type: 'ReviewMismatches', at: clock.now() } as const;
      await step.execute(merchantAggregate, target.subjectId, review);
    },
  });

/**
 * Records that the status mismatches of a payment or merchant were reviewed, which ends their case.
 * Nothing else changes: a movement of money needs a separate action. A second person must approve,
 * because the case is then no longer shown.
 */
export const reviewMismatches = (log: StepOnceParts, clock: Clock): Action => {
  const payments = ofPayment(log, clock);
  const merchants = ofMerchant(log, clock);
  const actionOf = (target: Target): Action => (isMerchant(target) ? merchants : payments);
  return {
    takesTwo: true,
    subjectOf: (target) => actionOf(target).subjectOf(target),
    preview: (asked) => actionOf(asked.target).preview(asked),
    executedAs: 'step',
    execute: async (asked) => {
      const action = actionOf(asked.target);
      assert(action.executedAs === 'step', 'the review of mismatches is executed as a step');
      return action.execute(asked);
    },
  };
};
