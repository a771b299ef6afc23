import { disputeMachine } from './disputes/dispute-states.js';
import { mandateMachine } from './mandates/mandate-states.js';
import { authMachine, intentMachine, paymentMachine } from './payments/states.js';
import { payoutMachine } from './payouts/payout-states.js';
import { refundMachine } from './refunds/refund-states.js';
import { subscriptionMachine } from './subscriptions/subscription-states.js';

/** Every state machine of the payment API, by the database column that contains its status. */
export const STATE_MACHINES = {
  'payment_intents.status': intentMachine,
  'payments.status': paymentMachine,
  'payments.auth_status': authMachine,
  'refunds.status': refundMachine,
  'disputes.status': disputeMachine,
  'payouts.status': payoutMachine,
  'mandates.status': mandateMachine,
  'subscriptions.status': subscriptionMachine,
} as const;
