import type { EventStore } from '#log';
import type { JobKind, JobTable } from '#jobs';
import type { Clock } from '#kernel';
import type { Logger } from '#platform';
import type { Capabilities, ProviderAccount, ProviderClient } from '#psp';
import { HOSTED_CALENDAR } from '#psp-hosted';
import { AccountLists } from '../../apps/worker/payouts/account-lists.js';
import { PaymentIngest } from '../../apps/worker/payouts/ingest-payments.js';
import { PaymentReferences } from '../../apps/worker/payouts/payment-references.js';
import type { PayoutReads } from '../../apps/worker/payouts/payout-reads.js';
import type { Reconciliation } from '../../apps/worker/payouts/reconciliation.js';
import { AccountJobKinds } from '../../apps/worker/payouts/account-job-kinds.js';
import { accountOf } from './account.js';
import { PLATFORM } from './platform.js';

export interface ListReaderParts {
  readonly table: Pick<JobTable, 'save'>;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (accountId: string) => ProviderClient;
  readonly capabilities: Capabilities;
}

const providerAccountOf = (accountId: string): ProviderAccount => ({
  ...accountOf(accountId),
  provider: 'hosted',
  platformId: PLATFORM,
  mode: 'test',
  webhookEndpointId: '',
  webhookSecret: '',
});

/**
 * The number of cached payments. It is small, because a simulation has few payments and creating a
 * large cache takes long.
 */
const MAX_CACHED = 100;

const SIMULATED = ['account.payments', 'account.refunds', 'account.disputes'];

/**
 * Runs the production code with which a worker reads an account's lists, on a simulated database
 * and provider. It reads no payouts, because payouts are not simulated.
 */
export const listReaders = ({
  table,
  store,
  clock,
  logger,
  clientOf,
  capabilities,
}: ListReaderParts): readonly JobKind[] => {
  const lines = { paymentsOf: () => Promise.resolve(new Map<string, string>()) };
  const references = new PaymentReferences(lines, logger, MAX_CACHED);
  const ingest = new PaymentIngest(store, clock, logger);
  const reads = {
    of: (accountId: string) => {
      const client = clientOf(accountId);
      return Promise.resolve({
        account: providerAccountOf(accountId),
        capabilities,
        calendar: HOSTED_CALENDAR,
        payouts: client.payouts,
        paced: () => client,
      });
    },
  };
  const lists = new AccountLists(table, references, ingest, clock);
  const runner = new AccountJobKinds(
    { isClosed: () => Promise.resolve(false) },
    reads,
    lists,
    {} as PayoutReads,
    {} as Reconciliation,
    clock,
    logger,
  );
  return runner.kinds().filter(({ kind }) => SIMULATED.includes(kind));
};
