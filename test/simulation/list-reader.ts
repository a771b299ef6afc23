import type { EventStore } from '#event-store';
import type { Clock } from '#kernel';
import type { Logger } from '#platform';
import {
  type PaymentClient, PayoutClient, type ProviderAccount, type ProviderTransport,
} from '#provider';
import { AccountLists } from '../../apps/worker/payouts/account-lists.js';
import { PaymentDoor } from '../../apps/worker/payouts/payment-door.js';
import type { PayoutTasks } from '../../apps/worker/payouts/payout-tasks.js';
import type { Reconciliation } from '../../apps/worker/payouts/reconciliation.js';
import { TaskRunner } from '../../apps/worker/payouts/task-runner.js';
import { ACCOUNT, PLATFORM } from './platform.js';
import type { simulatedTasks } from './ports/tasks.js';

export interface ListReaderParts {
  readonly queue: ReturnType<typeof simulatedTasks>;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly transport: Pick<ProviderTransport, 'send'>;
  readonly payments: PaymentClient;
}

const account: ProviderAccount = {
  id: ACCOUNT, platformId: PLATFORM, merchantId: 'mer_1', mode: 'test', apiKey: '',
  webhookEndpointId: '', webhookSecret: '',
};

/** What a worker does for the account: its lists are looked through, and no payout is simulated. */
export const listReader = (
  { queue, store, clock, logger, transport, payments }: ListReaderParts,
): TaskRunner => {
  const client = new PayoutClient(transport, '');
  const lines = { paymentsOf: () => Promise.resolve(new Map<string, string>()) };
  const door = new PaymentDoor({ store, clock, logger });
  return new TaskRunner({
    queue, clock, logger,
    reads: {
      of: () => Promise.resolve({
        account, payouts: (call) => call(client), payments: (call) => call(payments),
      }),
    },
    lists: new AccountLists({ queue, lines, door, clock, logger }),
    payouts: {} as PayoutTasks,
    reconciliation: {} as Reconciliation,
  });
};
