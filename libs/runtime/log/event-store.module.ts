import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Pool } from 'pg';
import type { Clock } from '#kernel';
import { CLOCK, type Logger, LOGGER, Metrics } from '#platform';
import { EventStore } from './event-store.js';
import { type ConnectionCheck, requireOwnLog } from './log-identity.js';
import { LogReader } from './log-reader.js';
import { PostgresLog } from './log-storage.js';
import type { Saga } from './saga.js';
import { type Upcasters, upcastersOf } from './upcast.js';
import { WakeListener } from './wake-listener.js';
import { Wakes } from './wakes.js';

/**
 * The settings that all processes with the same log share: how events are read, and which sagas
 * react to them.
 */
export interface LogRules {
  readonly aggregates: readonly { readonly upcasters: Upcasters }[];
  readonly sagas: readonly Saga[];
}

/**
 * Logs and counts the saga instances that failed to react, in the process that committed the event.
 */
const reportFailures = (store: EventStore, metrics: Metrics, logger: Logger): void => {
  const failed = metrics.counter('reactions_failed_total', 'Failed reactions of sagas', ['saga']);
  store.onCommitted(({ sagas }) => {
    for (const { saga, key, write } of sagas) {
      if (!write?.waiting || write.retryAfterMs === null) continue;
      failed.inc({ saga });
      const { attempts, error } = write.waiting;
      logger.error({ saga, key, attempts, error }, 'a reaction of a saga failed: it is retried');
    }
  });
};

/**
 * The event store as a Nest module. It needs a `Pool` of the orchestrator's database and a `CLOCK`.
 * The module does not start if the log was restored from another server.
 */
@Module({})
export class EventStoreModule implements OnModuleInit, OnApplicationShutdown {
  private readonly listener: WakeListener;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    wakes: Wakes,
    store: EventStore,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.listener = new WakeListener(pool, wakes, logger, () => store.clearCache());
  }

  /** `check`: the check of the pool's new connections. */
  static forLog({ aggregates, sagas }: LogRules, check: ConnectionCheck): DynamicModule {
    const upcasters = upcastersOf(aggregates);
    const store = {
      provide: EventStore,
      inject: [Pool, CLOCK, Metrics, LOGGER, Wakes],
      useFactory: (pool: Pool, clock: Clock, metrics: Metrics, logger: Logger, wakes: Wakes) => {
        const opened = new EventStore(new PostgresLog(pool, wakes), upcasters, { sagas, clock });
        opened.onCommitted(({ appends, effects }) => {
          if (appends.length > 0) wakes.wake('log');
          if (effects.some(({ begun }) => begun === null)) wakes.wake('jobs');
        });
        check.onRestored(() => opened.clearCache());
        reportFailures(opened, metrics, logger);
        return opened;
      },
    };
    const reader = {
      provide: LogReader,
      inject: [Pool],
      useFactory: (pool: Pool) => new LogReader(pool, upcasters),
    };
    return {
      module: EventStoreModule,
      global: true,
      providers: [Wakes, store, reader],
      exports: [EventStore, LogReader, Wakes],
    };
  }

  async onModuleInit(): Promise<void> {
    await requireOwnLog(this.pool);
    await this.listener.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.listener.stop();
  }
}
