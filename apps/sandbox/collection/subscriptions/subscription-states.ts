import { stateMachine } from '../../storage/state-machine.js';

export type SubscriptionStatus = 'incomplete' | 'active' | 'past_due' | 'unpaid' | 'canceled';

type SubscriptionMove = 'pay' | 'miss' | 'give_up' | 'cancel';

/**
 * The state machine of subscriptions. The first payment after a missed payment resumes the
 * subscription. See docs/provider/payments-completion.md#resources.
 */
export const subscriptionMachine = stateMachine<SubscriptionStatus, SubscriptionMove>(
  'subscription',
  {
    incomplete: { pay: 'active', cancel: 'canceled' },
    active: { pay: 'active', miss: 'past_due', cancel: 'canceled' },
    past_due: { pay: 'active', miss: 'past_due', give_up: 'unpaid', cancel: 'canceled' },
    unpaid: { pay: 'active', cancel: 'canceled' },
    canceled: {},
  },
);
