import type { Action, Wish } from './action';

const of = (paymentId: string, requestId: string) => ({
  target: { subjectId: paymentId, requestId },
  of: paymentId,
});

/** The two ends of a refund that was not made: the payer gets it after all, or never. */
export const wishesForUnmade = (paymentId: string, requestId: string): readonly Wish[] => [
  { kind: 'reissue_refund', ...of(paymentId, requestId) },
  { kind: 'give_up_refund', ...of(paymentId, requestId) },
];

/** What is left to be done after a settlement that found a refund not made; null: nothing. */
export const nextStepOf = ({ kind, outcome }: Action): Wish | null => {
  const { outcome: settled, paymentId, requestId } = outcome ?? {};
  if (kind !== 'settle_call' || settled !== 'not_made') return null;
  if (typeof paymentId !== 'string' || typeof requestId !== 'string') return null;
  return { kind: 'reissue_refund', ...of(paymentId, requestId) };
};
