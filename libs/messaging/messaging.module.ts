import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, LogReader } from '#event-store';
import { HealthChecks, type Logger, LOGGER } from '#platform';
import { type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
import type { IntakeOptions } from './intake.js';
import { Messaging } from './messaging.js';
import { MessagingMetrics } from './messaging-metrics.js';
import { ParkedKeys } from './parked-keys.js';

export interface MessagingModuleOptions {
  /** Names the app to the brokers. */
  readonly clientId: string;
  /** Those whose events the consumers read: their upcasters lift what older releases wrote. */
  readonly aggregates: readonly Pick<IntakeOptions, 'upcasters'>[];
  /** Default: from the environment, see `kafkaSettingsFromEnv`. */
  readonly kafka?: KafkaSettings;
}

/**
 * Relay and consumers for a worker. Needs `EventStoreModule`, `DatabaseModule` and
 * `PlatformModule`. Other modules inject `Messaging` and call `subscribe` in their constructor or
 * `onModuleInit`; all begins when the app has started.
 */
@Module({})
export class MessagingModule {
  static forWorker(options: MessagingModuleOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        MessagingMetrics,
        {
          provide: ParkedKeys,
          inject: [Pool],
          useFactory: (pool: Pool) => new ParkedKeys(pool),
        },
        {
          provide: Messaging,
          inject: [Pool, EventStore, LogReader, MessagingMetrics, HealthChecks, LOGGER],
          useFactory: (
            pool: Pool, store: EventStore, reader: LogReader, metrics: MessagingMetrics,
            health: HealthChecks, logger: Logger,
          ) => {
            const { clientId, aggregates, kafka: settings = kafkaSettingsFromEnv() } = options;
            const upcasters = Object.assign({}, ...aggregates.map((one) => one.upcasters));
            const messaging = new Messaging({
              pool, store, reader, metrics, logger, clientId, upcasters, settings,
            });
            health.add('relay', () => messaging.requireWorking());
            return messaging;
          },
        },
      ],
      exports: [Messaging, ParkedKeys, MessagingMetrics],
    };
  }
}
