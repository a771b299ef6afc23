import { type DynamicModule, Module } from '@nestjs/common';
import { OrchestratorModule } from '#orchestrator';
import { ApiModule } from '../api/api.module.js';
import { WorkerModule } from '../worker/worker.module.js';
import type { AllConfig } from './all-config.js';

/**
 * Api and worker on one event store: what a request has committed is known to the worker's loops,
 * which it wakes, and nothing that one of the two remembers is read again for the other.
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
