export { type Checkout, CHECKOUT_SAGA, type CheckoutMessage } from './checkout/checkout.js';
export { checkoutInStep, reactToCheckout } from './checkout/checkout-saga.js';
export { ONBOARDING_SAGA } from './onboarding/onboarding.js';
export { onboardingInStep } from './onboarding/onboarding-saga.js';
