import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { Pool } from 'pg';
import type { Upcasters } from './event-row.js';
import { EventStore } from './event-store.js';
import { requireOwnLog } from './log-identity.js';
import { LogReader } from './log-reader.js';
import { PostgresLog } from './postgres-log.js';

/** Needs a `Pool` of the orchestrator's database from the app; starts only on its own log. */
@Module({})
export class EventStoreModule implements OnModuleInit {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  static forAggregates(aggregates: readonly { readonly upcasters: Upcasters }[]): DynamicModule {
    const upcasters: Upcasters = Object.assign({}, ...aggregates.map((one) => one.upcasters));
    const store = {
      provide: EventStore,
      inject: [Pool],
      useFactory: (pool: Pool) => new EventStore(new PostgresLog(pool), upcasters),
    };
    const reader = {
      provide: LogReader,
      inject: [Pool],
      useFactory: (pool: Pool) => new LogReader(pool, upcasters),
    };
    return {
      module: EventStoreModule,
      global: true,
      providers: [store, reader],
      exports: [EventStore, LogReader],
    };
  }

  onModuleInit(): Promise<void> {
    return requireOwnLog(this.pool);
  }
}
