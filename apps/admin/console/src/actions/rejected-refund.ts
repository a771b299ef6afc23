import type { Action, ActionRequest } from './action';

const of = (paymentId: string, requestId: string) => ({
  target: { subjectId: paymentId, requestId },
  of: paymentId,
});

/** The actions on a failed refund: it can be reissued or abandoned. */
export const actionsForFailedRefund = (
  paymentId: string,
  requestId: string,
): readonly ActionRequest[] => [
  { kind: 'reissue_refund', ...of(paymentId, requestId) },
  { kind: 'abandon_refund', ...of(paymentId, requestId) },
];

/**
 * The action to offer after another one: to reissue a refund, after an operator has resolved its
 * request as not executed by the provider. Null after any other action.
 */
export const nextStepOf = ({ kind, outcome }: Action): ActionRequest | null => {
  const { outcome: resolved, paymentId, requestId } = outcome ?? {};
  if (kind !== 'resolve_result' || resolved !== 'not_made') return null;
  if (typeof paymentId !== 'string' || typeof requestId !== 'string') return null;
  return { kind: 'reissue_refund', ...of(paymentId, requestId) };
};
