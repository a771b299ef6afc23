import type { OrderTerms } from '#order';
import type {
  Checkout,
  CheckoutCommand,
  CheckoutContext,
  CheckoutDeadline,
  CheckoutReaction,
} from './checkout.js';

export type Paying = Extract<Checkout, { status: 'paying' }>;

export const stay = (state: Checkout): CheckoutReaction => ({ state, commands: [], deadlines: {} });

export const NO_DEADLINES: Readonly<Record<CheckoutDeadline, null>> = {
  'checkout.expiry': null,
  'checkout.capture': null,
  'checkout.warning': null,
};

export const finish = (command: CheckoutCommand): CheckoutReaction => ({
  state: { status: 'done' },
  commands: [command],
  deadlines: NO_DEADLINES,
});

export const toOrder = (
  command: Extract<CheckoutCommand, { to: 'order' }>['command'],
): CheckoutCommand => ({
  to: 'order',
  command,
});

export const toPayment = (
  paymentId: string,
  command: Extract<CheckoutCommand, { to: 'payment' }>['command'],
): CheckoutCommand => ({ to: 'payment', paymentId, command });

/** Starts a payment. Call it only if no earlier payment of the order can collect money any more. */
export const startPayment = (terms: OrderTerms, context: CheckoutContext): CheckoutReaction => {
  const { orderId, now: at, newPaymentId: paymentId } = context;
  const {
    platformId,
    merchantId,
    accountId,
    amountMinor,
    currency,
    methods,
    returnUrl,
    description,
    mandateId,
  } = terms;
  return {
    state: { status: 'paying', terms, paymentId, closing: null, failure: null },
    commands: [
      toOrder({ type: 'StartPayment', paymentId, at }),
      toPayment(paymentId, {
        type: 'RequestIntent',
        orderId,
        platformId,
        merchantId,
        accountId,
        amountMinor,
        currency,
        methods,
        returnUrl,
        description,
        ...(mandateId === undefined ? {} : { mandateId }),
        at,
      }),
    ],
    deadlines: { ...NO_DEADLINES, 'checkout.expiry': terms.expiresAt },
  };
};
