import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Kafka } from 'kafkajs';
import { Pool } from 'pg';
import { LogReader, Wakes } from '#log';
import { HealthChecks, type Logger, LOGGER } from '#platform';
import { createKafka, type KafkaSettings } from './kafka-config.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { type LeasedLoop } from './leased-loop.js';
import { MessagingMetrics } from './messaging-metrics.js';
import { preparePublishing } from './published-topics.js';
import { createRelay } from './relay.js';

/** Injection token of the `KafkaSettings`. */
export const KAFKA_SETTINGS = Symbol('KAFKA_SETTINGS');

/** The relay of one process, with its connection to the brokers. */
@Injectable()
export class Messaging implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly relay: LeasedLoop;
  private readonly kafka: Kafka;
  private readonly publisher: KafkaPublisher;
  private preparing: Promise<void> | null = null;

  constructor(
    @Inject(Pool) private readonly pool: Pool,
    wakes: Wakes,
    reader: LogReader,
    metrics: MessagingMetrics,
    health: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(KAFKA_SETTINGS) private readonly settings: KafkaSettings,
  ) {
    this.kafka = createKafka(settings, 'worker', logger);
    this.publisher = new KafkaPublisher(this.kafka, () => this.prepareTopics());
    const { topics } = settings;
    this.relay = createRelay({ pool, reader, publisher: this.publisher, topics, metrics, logger });
    wakes.on('log', () => this.relay.wake());
    // The readiness check of the relay is optional, because payments continue without Kafka: their
    // events are published after the outage.
    health.addOptional('relay', () => this.requireWorking());
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  /** Stops the current work of the relay and releases the lease. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.relay.stop();
    await this.publisher.close();
  }

  private async requireWorking(): Promise<void> {
    const { failure } = this.relay;
    if (failure !== null) throw new Error(`events cannot be published at present: ${failure}`);
    await Promise.resolve();
  }

  /** Creates and checks the topics. Simultaneous callers share one attempt. */
  private prepareTopics(): Promise<void> {
    const { pool, kafka, settings, logger } = this;
    this.preparing ??= preparePublishing(pool, kafka, settings.topics, logger).finally(() => {
      this.preparing = null;
    });
    return this.preparing;
  }
}
