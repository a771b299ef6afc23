export {
  type Checkout,
  CHECKOUT_DEADLINES,
  CHECKOUT_SAGA,
  type CheckoutCommand,
  type CheckoutContext,
  type CheckoutDeadline,
  type CheckoutMessage,
  type CheckoutReaction,
} from './checkout/checkout.js';
export { checkoutInStep, reactToCheckout } from './checkout/checkout-saga.js';
export {
  type Awaited,
  type Onboarding,
  ONBOARDING_DEADLINES,
  ONBOARDING_SAGA,
  type OnboardingContext,
  type OnboardingDeadline,
  type OnboardingMessage,
  type OnboardingReaction,
} from './onboarding/onboarding.js';
export { onboardingInStep, reactToOnboarding } from './onboarding/onboarding-saga.js';
