import { type Instant, Rejection } from '#kernel';
import {
  exists,
  openRequest,
  type Payment,
  type PaymentCommand,
  type ProviderCall,
} from '#payment';
import { type IntentReader, type PaymentFacts, ProviderRejected, readPayment } from '#psp';

const NOT_FOUND = 404;

/**
 * Reads the full state of an intent, by its id or by our reference. Returns `forgotten` if the
 * provider finds no intent by either. Throws a `ProviderError`.
 */
export const readOrForgotten = async (
  client: IntentReader,
  intentId: string,
  paymentId: string,
): Promise<PaymentFacts | 'forgotten'> => {
  try {
    return await readPayment(client, intentId);
  } catch (error) {
    if (!(error instanceof ProviderRejected) || error.status !== NOT_FOUND) throw error;
    if ((await client.findIntents(paymentId)).length > 0) throw error;
    return 'forgotten';
  }
};

/**
 * The commands that end a request after an operator has confirmed that the provider has deleted the
 * intent. The payment ends according to our recorded state, and a refund request counts as
 * rejected.
 */
export const forgotten = (
  payment: Payment,
  { kind, requestId }: { readonly kind: ProviderCall; readonly requestId: string | null },
  at: Instant,
): { readonly outcome: 'forgotten'; readonly commands: readonly PaymentCommand[] } => {
  if (kind !== 'refund') {
    return { outcome: 'forgotten', commands: [{ type: 'ConcludeForgotten', at }] };
  }
  const open = exists(payment) ? openRequest(payment.refunds) : null;
  if (open === null || open.requestId !== requestId) {
    throw new Rejection('refund_not_requested', 'the payment has no such refund request');
  }
  const reason = 'the provider has no such payment';
  return {
    outcome: 'forgotten',
    commands: [{ type: 'RejectRefund', requestId: open.requestId, reason, at }],
  };
};
