import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Kafka } from 'kafkajs';
import type { Pool } from 'pg';
import type { LogReader, Wakes } from '#log';
import type { Logger } from '#platform';
import { createKafka, type KafkaSettings } from './kafka-config.js';
import { KafkaPublisher } from './kafka-publisher.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import { preparePublishing } from './published-topics.js';
import { Relay } from './relay.js';

export interface MessagingOptions {
  readonly pool: Pool;
  readonly wakes: Wakes;
  readonly reader: LogReader;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly clientId: string;
  readonly settings: KafkaSettings;
}

/** One process's relay, on one set of brokers. */
export class Messaging implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly relay: Relay;
  private readonly kafka: Kafka;
  private readonly publisher: KafkaPublisher;
  private preparing: Promise<void> | null = null;

  constructor(private readonly options: MessagingOptions) {
    const { pool, reader, metrics, logger, settings, clientId } = options;
    this.kafka = createKafka(settings, clientId, logger);
    this.publisher = new KafkaPublisher(this.kafka, () => this.prepareTopics());
    const { topics } = settings;
    this.relay = new Relay({ pool, reader, publisher: this.publisher, topics, metrics, logger });
    options.wakes.on('log', () => this.relay.wake());
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  start(): void {
    this.relay.start();
  }

  /** Ends what is under way and gives up the lease. */
  async stop(): Promise<void> {
    await this.relay.stop();
    await this.publisher.close();
  }

  /** Rejects while publishing fails. */
  async requireWorking(): Promise<void> {
    const { failure } = this.relay;
    if (failure !== null) throw new Error(`events cannot be published at present: ${failure}`);
    await Promise.resolve();
  }

  /** Those who need the topics at the same time share one attempt. */
  private prepareTopics(): Promise<void> {
    const { pool, settings, logger } = this.options;
    this.preparing ??= preparePublishing(pool, this.kafka, settings.topics, logger).finally(() => {
      this.preparing = null;
    });
    return this.preparing;
  }
}
