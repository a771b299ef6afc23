export {
  type Checkout, CHECKOUT_DEADLINES, CHECKOUT_SAGA, type CheckoutCommand, type CheckoutContext,
  type CheckoutDeadline, type CheckoutMessage, type CheckoutReaction,
} from './checkout/checkout.js';
export { reactToCheckout } from './checkout/checkout-saga.js';
