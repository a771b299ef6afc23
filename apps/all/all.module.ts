import { type DynamicModule, Module } from '@nestjs/common';
import { OrchestratorModule } from '#orchestrator';
import { ApiModule } from '../api/api.module.js';
import { WorkerModule } from '../worker/worker.module.js';
import type { AllConfig } from './all-config.js';

/**
 * API and worker on one event store: the commit of a request wakes the worker's loops without a
 * query, and API and worker share one cache of aggregates.
 */
@Module({})
export class AllModule {
  static forRoot({ api, worker }: AllConfig): DynamicModule {
    const orchestrator = OrchestratorModule.forRoot('all', api);
    return {
      module: AllModule,
      imports: [ApiModule.forRoot(api, orchestrator), WorkerModule.forRoot(worker, orchestrator)],
    };
  }
}
