import type { Action, ActionRequest } from './action';

const of = (paymentId: string, requestId: string) => ({
  target: { subjectId: paymentId, requestId },
  of: paymentId,
});

/** A failed refund is reissued or abandoned. */
export const actionsForFailedRefund = (
  paymentId: string,
  requestId: string,
): readonly ActionRequest[] => [
  { kind: 'reissue_refund', ...of(paymentId, requestId) },
  { kind: 'abandon_refund', ...of(paymentId, requestId) },
];

/** The next step after a resolution that found the refund not made; null: none. */
export const nextStepOf = ({ kind, outcome }: Action): ActionRequest | null => {
  const { outcome: settled, paymentId, requestId } = outcome ?? {};
  if (kind !== 'resolve_result' || settled !== 'not_made') return null;
  if (typeof paymentId !== 'string' || typeof requestId !== 'string') return null;
  return { kind: 'reissue_refund', ...of(paymentId, requestId) };
};
