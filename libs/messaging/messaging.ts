import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Kafka } from 'kafkajs';
import type { Pool } from 'pg';
import type { EventStore, LogCursor, LogReader } from '#event-store';
import { assert } from '#kernel';
import type { Logger } from '#platform';
import { Consumer } from './consumer.js';
import type { IntakeOptions } from './intake.js';
import { createKafka, type KafkaSettings } from './kafka-config.js';
import { GroupLag } from './kafka-lag.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { ensureTopics } from './kafka-topics.js';
import type { MessagingMetrics } from './messaging-metrics.js';
import { Relay } from './relay.js';
import type { Subscription } from './subscription.js';

export interface MessagingOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly reader: LogReader;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  readonly clientId: string;
  readonly upcasters: IntakeOptions['upcasters'];
  readonly settings: KafkaSettings;
}

const sameCursor = (a: LogCursor, b: LogCursor): boolean =>
  a.epoch === b.epoch && a.transactionId === b.transactionId && a.position === b.position;

/** One process's relay and consumers, on one set of brokers. */
export class Messaging implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly relay: Relay;
  private readonly kafka: Kafka;
  private readonly publisher: KafkaPublisher;
  private readonly groupLag: GroupLag;
  private readonly consumers: Consumer[] = [];
  private started = false;
  private preparing: Promise<void> | null = null;

  constructor(private readonly options: MessagingOptions) {
    const { pool, reader, metrics, logger, settings, clientId } = options;
    this.kafka = createKafka(settings, clientId, logger);
    this.publisher = new KafkaPublisher(this.kafka, () => this.prepareTopics());
    this.groupLag = new GroupLag(this.kafka);
    const { topics } = settings;
    this.relay = new Relay({ pool, reader, publisher: this.publisher, topics, metrics, logger });
    options.store.onCommitted(({ appends }) => {
      if (appends.length > 0) this.relay.wake();
    });
  }

  /** Adds a consumer; to be called before the app has started. */
  subscribe(subscription: Subscription): Consumer {
    assert(!this.started, 'consumers are added before the app has started');
    const { settings, ...rest } = this.options;
    const { topics, sessionTimeoutMs } = settings;
    const consumer = new Consumer({
      ...rest, kafka: this.kafka, subscription, topics, sessionTimeoutMs,
      groupLag: this.groupLag, prepare: () => this.prepareTopics(),
    });
    this.consumers.push(consumer);
    return consumer;
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  start(): void {
    this.started = true;
    this.relay.start();
    for (const consumer of this.consumers) consumer.start();
  }

  /** Ends what is under way and gives up leases and partitions. */
  async stop(): Promise<void> {
    await Promise.all([this.relay.stop(), ...this.consumers.map((consumer) => consumer.stop())]);
    await Promise.all([this.publisher.close(), this.groupLag.close()]);
  }

  /** Rejects while publishing fails. */
  async requireWorking(): Promise<void> {
    if (this.relay.failing) throw new Error('events cannot be published at present');
    await Promise.resolve();
  }

  /**
   * Whether all that is committed has been published and dealt with by the consumers of this
   * process, in whichever process they run: the log did not grow while every consumer was seen
   * at the end of its topics. Parked streams do not count. @throws BrokersAway
   */
  async isIdle(): Promise<boolean> {
    const { relay } = this;
    const before = await relay.cursor.read();
    if (!(await relay.isCaughtUp())) return false;
    const lags = await Promise.all(this.consumers.map((consumer) => consumer.lag()));
    if (lags.some((lag) => lag > 0)) return false;
    return (await relay.isCaughtUp()) && sameCursor(before, await relay.cursor.read());
  }

  /** Those who need the topics at the same time share one attempt. */
  private prepareTopics(): Promise<void> {
    const { settings, logger } = this.options;
    this.preparing ??= ensureTopics(this.kafka, settings.topics, logger).finally(() => {
      this.preparing = null;
    });
    return this.preparing;
  }
}
