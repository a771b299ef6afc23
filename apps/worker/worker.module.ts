import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { Jobs } from '#jobs';
import { MessagingModule } from '#kafka';
import { OrchestratorModule } from '#orchestrator';
import { Metrics } from '#platform';
import { ProviderAccounts, ProviderBudget } from '#psp';
import { EffectsPart } from './calls.part.js';
import { Loops } from './loops.js';
import { MerchantCalls } from './merchants/merchant-calls.js';
import { MerchantsPart } from './merchants/merchants.part.js';
import { PollsPart } from './payments/polls.part.js';
import { WebhooksPart } from './payments/webhooks.part.js';
import { PayoutsPart } from './payouts/payouts.part.js';
import { ProjectionsPart } from './projections/projections.part.js';
import { ProviderClients } from './provider-clients.js';
import { BackgroundReads } from './reads/background-reads.js';
import { RetentionPart } from './retention/retention.part.js';
import { ReactionRetriesPart } from './sagas/reaction-retries.part.js';
import type { WorkerConfig } from './worker-config.js';

const backgroundReads = ({ readsPerMinute }: WorkerConfig) => ({
  provide: BackgroundReads,
  inject: [Pool, ProviderAccounts, Metrics],
  useFactory: (pool: Pool, accounts: ProviderAccounts, metrics: Metrics) => {
    const calls = metrics.counter(
      'provider_background_calls_total',
      'Background calls to the provider, by whether they were made or held back by the budget',
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
  /** `orchestrator`: the existing one of the process, if the process is more than a worker. */
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
        PollsPart,
        EffectsPart,
        MerchantsPart,
        WebhooksPart,
        ProjectionsPart,
        PayoutsPart,
        RetentionPart,
        ReactionRetriesPart,
      ],
    };
  }
}
