import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { Pool } from 'pg';
import type { Logger } from '#platform';
import type { StreamRef } from '#event-store';
import { decodeCloudEvent, type EventMessage } from './cloud-event.js';
import { Intake, type IntakeOptions, type IntakeOutcome } from './intake.js';
import { Inbox } from './inbox.js';
import type { GroupLag } from './kafka-lag.js';
import { OffsetCommits } from './offset-commits.js';
import { ParkedKeys } from './parked-keys.js';
import { Backoff, ChildAbort, pause } from './pause.js';
import { ParkedRelease } from './parked-release.js';
import { STREAM_TYPES, topicOf, type TopicSettings } from './topics.js';

const HEARTBEAT_MS = 1_000;
/** How long the broker holds a fetch back when there is no news; also how long a stop may take. */
const FETCH_WAIT_MS = 500;
const PARTITIONS_AT_ONCE = 12;
const RESTART_WAIT_MS = { first: 100, widest: 2_000 };

export interface ConsumerOptions
  extends Omit<IntakeOptions, 'inbox' | 'parkedKeys' | 'pause' | 'maxRemembered'> {
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly topics: TopicSettings;
  readonly sessionTimeoutMs: number;
  readonly groupLag: GroupLag;
  /** Runs before the topics are subscribed to: they must exist. */
  readonly prepare: () => Promise<void>;
}

/**
 * Feeds a subscription from its topics. Any number of processes may run it: partitions are shared
 * out, and the inbox keeps the effects exactly once while they move. Offsets only tell where to
 * read on; they are committed after the work.
 */
export class Consumer {
  readonly name: string;
  readonly groupId: string;
  readonly intake: Intake;
  readonly parkedKeys: ParkedKeys;
  private readonly release: ParkedRelease;
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private running: Promise<void> | null = null;

  constructor(private readonly options: ConsumerOptions) {
    this.name = options.subscription.name;
    this.groupId = `${options.topics.prefix}${this.name}`;
    this.logger = options.logger.child({ consumer: this.name });
    const { pool } = options;
    const { name, logger } = this;
    const parkedKeys = new ParkedKeys(pool);
    this.parkedKeys = parkedKeys;
    this.intake = new Intake({ ...options, logger, parkedKeys, inbox: new Inbox(pool, name) });
    // Counted from the start: where a series begins with its first count, nobody sees it rise.
    options.metrics.undecodable.inc({ consumer: name }, 0);
    this.release = new ParkedRelease(name, { intake: this.intake, parkedKeys, pool, logger });
  }

  /** Begins at once and goes on whatever happens to Kafka or PostgreSQL, until `stop`. */
  start(): void {
    this.running ??= this.run();
    this.release.start();
  }

  /** Ends after the steps under way; what was not finished is read again by the next process. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.running, this.release.stop()]);
  }

  /** How many messages of its topics the group has not dealt with, in all processes together. */
  lag(): Promise<number> {
    return this.options.groupLag.lag(this.groupId, this.topicNames());
  }

  private topicNames(): string[] {
    const { subscription, topics } = this.options;
    return subscription.streams.map((streamType) => topicOf(streamType, topics));
  }

  private async run(): Promise<void> {
    const backoff = new Backoff(RESTART_WAIT_MS.first, RESTART_WAIT_MS.widest);
    let failing = false;
    while (!this.stopping.signal.aborted) {
      try {
        await this.consume(() => {
          if (failing) this.logger.info('the consumer works again');
          failing = false;
          backoff.reset();
        });
      } catch (error) {
        if (!failing) this.logger.error({ err: error }, 'the consumer failed and begins again');
        failing = true;
        await backoff.wait(this.stopping.signal);
      }
    }
  }

  /** One life of a Kafka consumer: resolves after `stop`, rejects when it crashes. */
  private async consume(working: () => void): Promise<void> {
    const { kafka, prepare, sessionTimeoutMs } = this.options;
    await prepare();
    const consumer = kafka.consumer({
      groupId: this.groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: sessionTimeoutMs,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // It is this class that begins again: also after what the client calls final.
      retry: { retries: 3, initialRetryTime: 100, restartOnFailure: () => Promise.resolve(false) },
    });
    const life = new ChildAbort(this.stopping.signal);
    const offsets = new OffsetCommits(consumer, this.logger);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: this.topicNames(), fromBeginning: true });
      consumer.on(consumer.events.GROUP_JOIN, () => {
        this.intake.forget();
        offsets.forget();
        working();
      });
      const running = consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
        eachBatch: (payload) => this.takeBatch(payload, offsets),
      });
      await Promise.all([running, this.untilCrash(consumer, life.signal)]);
    } finally {
      life.end();
      await offsets.end();
      await consumer.disconnect();
    }
  }

  private untilCrash(consumer: KafkaConsumer, end: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      if (end.aborted) resolve();
      else end.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private async takeBatch(payload: EachBatchPayload, offsets: OffsetCommits): Promise<void> {
    const { batch, resolveOffset } = payload;
    const ended = new ChildAbort(this.stopping.signal);
    const beating = this.beat(payload, ended);
    let outcome: IntakeOutcome;
    try {
      outcome = await this.takeMessages(batch, ended.signal);
    } finally {
      ended.end();
    }
    const lost = await beating;
    if (lost !== null) throw lost;
    if (outcome === 'stopped' || payload.isStale()) return;
    const offset = batch.lastOffset();
    resolveOffset(offset);
    offsets.done(batch.topic, batch.partition, offset);
  }

  /**
   * Tells the group that we live while a batch takes long. Ends the batch when the group wants to
   * share its partitions out anew, and answers that error, which the client must see.
   */
  private async beat(payload: EachBatchPayload, ended: ChildAbort): Promise<Error | null> {
    for (;;) {
      await pause(HEARTBEAT_MS, ended.signal);
      if (ended.signal.aborted) return null;
      try {
        if (payload.isRunning()) await payload.heartbeat();
        else ended.end();
      } catch (error) {
        ended.end();
        return error instanceof Error ? error : new Error(String(error));
      }
    }
  }

  private async takeMessages(
    { topic, partition, messages }: EachBatchPayload['batch'], signal: AbortSignal,
  ): Promise<IntakeOutcome> {
    const events: EventMessage[] = [];
    const unclear: StreamRef[] = [];
    for (const message of messages) {
      try {
        events.push(decodeCloudEvent(message));
      } catch (error) {
        this.options.metrics.undecodable.inc({ consumer: this.name });
        const fields = { err: error, topic, partition, offset: message.offset };
        this.logger.error(fields, 'a message cannot be read; its stream is read from the log');
        const streamType = STREAM_TYPES.find((one) => topicOf(one, this.options.topics) === topic);
        const streamId = message.key?.toString();
        if (streamType && streamId) unclear.push({ streamType, streamId });
      }
    }
    let outcome = await this.intake.take(events, signal);
    for (const stream of unclear) {
      if (outcome !== 'stopped') outcome = await this.intake.catchUpUnlessParked(stream, signal);
    }
    return outcome;
  }
}
