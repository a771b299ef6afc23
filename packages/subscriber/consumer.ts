import type { Consumer as KafkaConsumer, EachBatchPayload, Kafka } from 'kafkajs';
import { Backoff, ChildAbort, pause } from './backoff.js';
import type { Counts } from './counts.js';
import { decodeMessage, UndecodableMessage } from './decode.js';
import type { ReceivedEvent, StreamType } from './envelope.js';
import type { Logger } from './logger.js';
import { OffsetCommits } from './offset-commits.js';

const HEARTBEAT_MS = 1_000;
/**
 * How long the broker may delay a fetch when there are no new messages; stopping the consumer may
 * take equally long.
 */
const FETCH_WAIT_MS = 500;
const PARTITIONS_AT_ONCE = 12;
const RESTART_WAIT = { firstMs: 100, maxMs: 2_000 };

export interface ConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: ReadonlyMap<string, StreamType>;
  readonly sessionTimeoutMs: number;
  /** Handles events. Rejects if `signal` aborts; the events are then read again. */
  readonly take: (events: readonly ReceivedEvent[], signal: AbortSignal) => Promise<void>;
  readonly counts: Counts;
  readonly logger: Logger;
}

/**
 * Reads topics in a consumer group and restarts after every failure. Offsets only record where to
 * continue, so they are committed after the events were handled.
 */
export class Consumer {
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(private readonly options: ConsumerOptions) {}

  /** Runs until `stop`, despite outages of Kafka or the store. */
  start(): void {
    this.running ??= this.run();
  }

  /**
   * Stops when the running transactions have ended. Events that were not handled yet are read again
   * by the next consumer.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const backoff = new Backoff(RESTART_WAIT);
    const { logger } = this.options;
    let isFailing = false;
    while (!this.stopping.signal.aborted) {
      try {
        await this.consume(() => {
          if (isFailing) logger.info({}, 'the subscriber works again');
          isFailing = false;
          backoff.reset();
        });
      } catch (error) {
        if (!isFailing) logger.error({ err: error }, 'the subscriber failed and restarts');
        isFailing = true;
        await backoff.wait(this.stopping.signal);
      }
    }
  }

  /** One run of a Kafka consumer: resolves after `stop`, rejects when it crashes. */
  private async consume(onBatch: () => void): Promise<void> {
    const { kafka, groupId, sessionTimeoutMs, topics, logger } = this.options;
    const consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: sessionTimeoutMs,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // The client must not restart by itself: `run` starts a new client after every failure, even
      // after errors that the client does not retry.
      retry: { retries: 3, initialRetryTime: 100, restartOnFailure: () => Promise.resolve(false) },
    });
    const life = new ChildAbort(this.stopping.signal);
    const offsets = new OffsetCommits(consumer, logger);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true });
      consumer.on(consumer.events.GROUP_JOIN, () => offsets.drop());
      const running = consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
        eachBatch: async (payload) => {
          await this.takeBatch(payload, offsets);
          onBatch();
        },
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
    let isDone = false;
    try {
      await this.options.take(this.decode(batch), ended.signal);
      isDone = true;
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    } finally {
      ended.end();
    }
    const lost = await beating;
    if (lost !== null) throw lost;
    if (!isDone || payload.isStale()) return;
    const offset = batch.lastOffset();
    resolveOffset(offset);
    offsets.done(batch.topic, batch.partition, offset);
  }

  /**
   * Sends heartbeats during a long batch. If the group reassigns the partitions, ends the batch and
   * returns the error, which must be thrown to the client, so that the client joins the group
   * again.
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

  /**
   * The decoded events of a batch. A message that cannot be decoded is dropped and blocks no
   * stream, because its key, which identifies the stream, may be wrong, too. If the message was an
   * event, the gap in the versions is found at the next event of its stream.
   */
  private decode({ topic, partition, messages }: EachBatchPayload['batch']): ReceivedEvent[] {
    const { topics, counts, logger } = this.options;
    const streamType = topics.get(topic);
    return messages.flatMap((message) => {
      try {
        if (streamType === undefined)
          throw new UndecodableMessage(
            'a message came from a topic to which this consumer is not subscribed',
          );
        return [decodeMessage(message, streamType)];
      } catch (error) {
        counts.undecodable += 1;
        const fields = { err: error, topic, partition, offset: message.offset };
        logger.error(fields, 'a message cannot be decoded as an event: it is dropped');
        return [];
      }
    });
  }
}
