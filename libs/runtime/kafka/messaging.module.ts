import { type DynamicModule, Module } from '@nestjs/common';
import { Pool } from 'pg';
import { LogReader, Wakes } from '#log';
import { HealthChecks, type Logger, LOGGER } from '#platform';
import { type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
import { Messaging } from './messaging.js';
import { MessagingMetrics } from './messaging-metrics.js';

export interface MessagingModuleOptions {
  /** Names the app to the brokers. */
  readonly clientId: string;
  /** Default: from the environment, see `kafkaSettingsFromEnv`. */
  readonly kafka?: KafkaSettings;
}

/**
 * The relay for a worker. Needs `EventStoreModule`, `DatabaseModule` and `PlatformModule`; it
 * begins when the app has started.
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
          provide: Messaging,
          inject: [Pool, Wakes, LogReader, MessagingMetrics, HealthChecks, LOGGER],
          useFactory: (
            pool: Pool,
            wakes: Wakes,
            reader: LogReader,
            metrics: MessagingMetrics,
            health: HealthChecks,
            logger: Logger,
          ) => {
            const { clientId, kafka: settings = kafkaSettingsFromEnv() } = options;
            const messaging = new Messaging({
              pool,
              wakes,
              reader,
              metrics,
              logger,
              clientId,
              settings,
            });
            // Payments go on without Kafka: events are published when it is back.
            health.addOptional('relay', () => messaging.requireWorking());
            return messaging;
          },
        },
      ],
      exports: [Messaging, MessagingMetrics],
    };
  }
}
