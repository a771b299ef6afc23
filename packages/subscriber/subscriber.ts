import type { Kafka } from 'kafkajs';
import { repeatedly } from './backoff.js';
import { type BlockedAt, BlockedStreams } from './blocked-streams.js';
import { Consumer } from './consumer.js';
import { type Counts, exposition, noCounts } from './counts.js';
import type { StreamRef, StreamType } from './envelope.js';
import { TOPICS } from './events.js';
import type { Feed } from './feed.js';
import { GroupLag } from './group-lag.js';
import type { Handlers } from './handlers.js';
import { Intake } from './intake.js';
import type { Logger } from './logger.js';
import type { BlockedStream, Store } from './store.js';

/** The time between two attempts to continue the streams whose block may end by itself. */
const RESUME_MS = 60_000;

export interface SubscriberOptions<Tx> {
  readonly kafka: Kafka;
  /** The stream types to subscribe to. Their topics are read from the beginning. */
  readonly streams: readonly StreamType[];
  readonly handlers: Handlers<Tx>;
  readonly store: Store<Tx>;
  readonly logger: Logger;
  /**
   * The event log with which each event is confirmed before it is handled. Without it, messages are
   * trusted: anyone who may write to a topic can make the handlers run for forged events.
   */
  readonly confirm?: Feed;
  /** The prefix of the orchestrator's topics and of this consumer group; none by default. */
  readonly topicPrefix?: string;
  /** The time without a heartbeat after which the partitions are reassigned; default 10 s. */
  readonly sessionTimeoutMs?: number;
}

/**
 * Handles the events of the payment orchestrator, each exactly once and in the order of its stream.
 * Any number of processes may run the same subscriber: they share the partitions.
 */
export class Subscriber<Tx> {
  readonly groupId: string;
  private readonly topics: ReadonlyMap<string, StreamType>;
  private readonly current = noCounts();
  private readonly stopping = new AbortController();
  private readonly consumer: Consumer;
  private readonly streams: BlockedStreams<Tx>;
  private readonly groupLag: GroupLag;
  private resuming: Promise<void> | null = null;

  constructor(private readonly options: SubscriberOptions<Tx>) {
    const { kafka, store, handlers, logger, confirm = null, topicPrefix = '' } = options;
    this.groupId = `${topicPrefix}${store.subscriber}`;
    this.topics = new Map(options.streams.map((type) => [`${topicPrefix}${TOPICS[type]}`, type]));
    const counts = this.current;
    const intake = new Intake({ store, handlers, feed: confirm, counts, logger });
    this.streams = new BlockedStreams(store, intake.work, intake.patience);
    this.groupLag = new GroupLag(kafka);
    this.consumer = new Consumer({
      kafka,
      groupId: this.groupId,
      topics: this.topics,
      counts,
      logger,
      sessionTimeoutMs: options.sessionTimeoutMs ?? 10_000,
      take: (events, signal) => intake.take(events, signal),
    });
  }

  /** Runs until `stop`, despite outages of Kafka or the store. */
  start(): void {
    this.consumer.start();
    const { signal } = this.stopping;
    this.resuming ??= repeatedly(
      () => this.streams.resume(signal),
      RESUME_MS,
      signal,
      (err) => this.options.logger.warn({ err }, 'the blocked streams could not be tried again'),
    );
  }

  /** Stops when the running transactions have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.consumer.stop();
    await this.resuming;
    await this.groupLag.close().catch(() => undefined);
  }

  /** The messages that this process has read, by outcome. */
  get counts(): Readonly<Counts> {
    return { ...this.current };
  }

  /**
   * The number of messages that the processes of the subscriber have not handled yet. Messages of
   * blocked streams count as handled, because they are stored. @throws BrokersUnavailable
   */
  lag(): Promise<number> {
    return this.groupLag.lag(this.groupId, [...this.topics.keys()]);
  }

  /** The blocked streams; those blocked longest come first. */
  blocked(): Promise<readonly BlockedStream[]> {
    return this.streams.list();
  }

  /**
   * Handles the stored events of a blocked stream in order. Returns null if the stream is then
   * unblocked, or where and why it is blocked again.
   */
  retry(stream: StreamRef): Promise<BlockedStream | null> {
    return this.streams.retry(stream, this.stopping.signal);
  }

  /**
   * Discards the event at which a stream is blocked, or the missing versions, and continues. The
   * reason is recorded with the discard. Returns, as `retry` does, where and why the stream is
   * blocked again, or null. @throws NotBlocked
   */
  discard(at: BlockedAt, reason: string): Promise<BlockedStream | null> {
    return this.streams.discard(at, reason, this.stopping.signal);
  }

  /** Counts, lag and blocked streams in the text format of Prometheus. */
  async metrics(): Promise<string> {
    const { store } = this.options;
    const [lag, blockedStreams] = await Promise.all([
      this.lag().catch(() => null),
      store.blocked().then(
        ({ length }) => length,
        () => null,
      ),
    ]);
    return exposition(store.subscriber, this.current, { lag, blockedStreams });
  }
}
