import { type DynamicModule, Module } from '@nestjs/common';
import { OrchestratorModule } from '#orchestrator';
import { ApiModule } from '../api/api.module.js';
import { WorkerModule } from '../worker/worker.module.js';
import type { AllConfig } from './all-config.js';

/**
 * API and worker in one process, with one event store: a commit by the API wakes the worker's loops
 * directly, and both use the same cache of aggregates.
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
