import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Jobs } from '#jobs';
import { MessagingModule } from '#kafka';
import { OrchestratorModule } from '#orchestrator';
import { Metrics } from '#platform';
import { ProviderAccounts, ProviderBudget } from '#psp';
import { ProviderCallsProcess } from './calls.process.js';
import { Loops } from './loops.js';
import { MerchantCalls } from './merchants/merchant-calls.js';
import { MerchantsProcess } from './merchants/merchants.process.js';
import { PollsProcess } from './payments/polls.process.js';
import { WebhooksProcess } from './payments/webhooks.process.js';
import { PayoutsProcess } from './payouts/payouts.process.js';
import { ProjectionsProcess } from './projections/projections.process.js';
import { ProviderClients } from './provider-clients.js';
import { BackgroundReads } from './reads/background-reads.js';
import { RetentionProcess } from './retention/retention.process.js';
import { ReactionRetriesProcess } from './sagas/reaction-retries.process.js';
import { WebhookDeliveriesProcess } from './webhooks/deliveries.process.js';
import type { WorkerConfig } from './worker-config.js';

const backgroundReads = ({ readsPerMinute }: WorkerConfig) => ({
  provide: BackgroundReads,
  inject: [Pool, ProviderAccounts, Metrics],
  useFactory: (pool: Pool, accounts: ProviderAccounts, metrics: Metrics) => {
    const calls = metrics.counter(
      'provider_background_calls_total',
      'Background calls to the provider, sent or delayed by the call budget',
      ['outcome'],
    );
    const budget = new ProviderBudget(pool, readsPerMinute);
    return new BackgroundReads(accounts, budget, (outcome) => calls.inc({ outcome }));
  },
});

/**
 * All background work: event relay, provider calls, deadlines, webhooks, retried saga reactions,
 * projections, and retention. Workers share the work by claims and leases.
 */
@Module({})
export class WorkerModule {
  /**
   * Pass `orchestrator` if API and worker run in one process, so that both use the same instance.
   */
  static forRoot(
    config: WorkerConfig,
    orchestrator = OrchestratorModule.forRoot('worker', config),
  ): DynamicModule {
    return {
      module: WorkerModule,
      imports: [orchestrator, MessagingModule.forWorker()],
      providers: [
        ProviderClients,
        backgroundReads(config),
        MerchantCalls,
        Jobs,
        Loops,
        PollsProcess,
        ProviderCallsProcess,
        MerchantsProcess,
        WebhooksProcess,
        ProjectionsProcess,
        PayoutsProcess,
        WebhookDeliveriesProcess,
        RetentionProcess,
        ReactionRetriesProcess,
      ],
    };
  }
}
