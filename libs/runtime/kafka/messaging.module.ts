import { type DynamicModule, Module } from '@nestjs/common';
import { type KafkaSettings, kafkaSettingsFromEnv } from './kafka-config.js';
import { KAFKA_SETTINGS, Messaging } from './messaging.js';
import { MessagingMetrics } from './messaging-metrics.js';

/**
 * The relay of a worker. The module needs `EventStoreModule`, `DatabaseModule` and
 * `PlatformModule`; the relay starts after the app.
 */
@Module({})
export class MessagingModule {
  static forWorker(settings?: KafkaSettings): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        MessagingMetrics,
        Messaging,
        { provide: KAFKA_SETTINGS, useFactory: () => settings ?? kafkaSettingsFromEnv() },
      ],
      exports: [Messaging, MessagingMetrics],
    };
  }
}
