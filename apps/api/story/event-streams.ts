import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import type { RecordedEvent } from '#log';
import { type Logger, LOGGER, Metrics, Slots } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { LiveKeys } from '../auth/live-keys.js';
import { problem } from '../shared/error-codes.js';
import type { Following, StreamPosition } from './story.js';

const MAX_OPEN_STREAMS = 2_000;
const MAX_OF_PLATFORM = 500;
const RETRY_MS = 1_000;
/** How often an idle stream checks its API key. */
const CHECK_KEYS_MS = 1_000;

/**
 * The documentation of the header. It is not a parameter of the handlers, because the API reference
 * would then list the header twice, one of them as required.
 */
export const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The id of the last event that you received: the stream resumes after this event.',
};

/** The error 422 for a Last-Event-ID that no stream sends. */
export const unknownLastEventId = (): Error =>
  problem('validation_failed', {
    detail:
      'Last-Event-ID is not the id of an event of this stream: send the last id that you ' +
      'received, or none',
    errors: [{ detail: 'must be the id of an event of this stream', parameter: 'Last-Event-ID' }],
  });

/** What an event stream sends: events, and for some streams positions between the events. */
export interface Sent<T extends RecordedEvent | StreamPosition> {
  /**
   * Opens the stream after the id in Last-Event-ID; null: the client has not sent this header. May
   * throw a `Rejection` or a `Problem`.
   */
  readonly open: (lastEventId: string | null) => Promise<Following<T>>;
  /** The id with which the client can resume after the event or position. */
  readonly idOf: (one: T) => string;
  /** The `data` of an event. */
  readonly dataOf: (event: RecordedEvent) => object;
}

const frame = <T extends RecordedEvent | StreamPosition>(
  one: T | null,
  { idOf, dataOf }: Sent<T>,
): string => {
  if (one === null) return ': still here\n\n';
  const id = `id: ${idOf(one)}\n`;
  // A frame without data is no event: it only sets the id that the client sends when it reconnects.
  if ('after' in one) return `${id}\n`;
  return `${id}event: ${one.type}\ndata: ${JSON.stringify(dataOf(one))}\n\n`;
};

/** The frames of an event stream. Before each event, the stream's API key is checked. */
async function* frames<T extends RecordedEvent | StreamPosition>(
  events: Following<T>['events'],
  sent: Sent<T>,
  isLive: () => Promise<boolean>,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of events) {
    if (!(await isLive())) return;
    yield frame(one, sent);
  }
}

/**
 * An open stream. The object is created before the first await, so that every disconnect is
 * noticed.
 */
interface Line {
  readonly keyPrefix: string;
  isClosed: boolean;
  onClose: () => void;
}

/**
 * The open server-sent event streams of this process. A stream ends when its API key is revoked or
 * expires.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly slots = new Slots(MAX_OPEN_STREAMS, MAX_OF_PLATFORM);
  private readonly lines = new Set<Line>();
  private readonly checks: NodeJS.Timeout;

  constructor(
    private readonly keys: LiveKeys,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.checks = setInterval(() => void this.endWithTheirKeys(), CHECK_KEYS_MS);
    // Without `unref`, this timer would keep a process alive whose start has failed.
    this.checks.unref();
    metrics.gauge('event_streams_open', 'Open server-sent event streams', [], (gauge) =>
      gauge.set(this.slots.count),
    );
  }

  /**
   * Responds with an event stream that stays open. Before anything is sent, throws `Problem` 503, or
   * the error of `open`.
   */
  async send<T extends RecordedEvent | StreamPosition>(
    caller: Caller,
    sent: Sent<T>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (!this.slots.hasRoom(caller.platformId)) {
      throw problem('too_many_streams', { headers: { 'retry-after': '5' } });
    }
    const line = this.opened(caller, reply);
    const { events, stop } = await sent.open(request.headers['last-event-id']?.toString() ?? null);
    // If the client disconnected during the await, the `close` handler ran while `onClose` did
    // nothing yet. So the stream is stopped here.
    if (line.isClosed) return stop();
    line.onClose = stop;
    const stream = Readable.from(
      frames(events, sent, () => this.keys.isLive(caller.keyPrefix)),
      // Events are read from the queue only as fast as the subscriber reads.
      { objectMode: false, highWaterMark: 16_384 },
    );
    await reply.header('x-accel-buffering', 'no').type('text/event-stream').send(stream);
  }

  /**
   * Counts the new stream as open before the first await, so that the end of the stream always
   * finds the stream counted.
   */
  private opened({ platformId, keyPrefix }: Caller, reply: FastifyReply): Line {
    const line: Line = { keyPrefix, isClosed: reply.raw.destroyed, onClose: () => {} };
    if (line.isClosed) return line;
    const release = this.slots.take(platformId);
    this.lines.add(line);
    reply.raw.once('close', () => {
      release();
      this.lines.delete(line);
      line.isClosed = true;
      line.onClose();
    });
    return line;
  }

  onModuleDestroy(): void {
    clearInterval(this.checks);
  }

  private async endWithTheirKeys(): Promise<void> {
    try {
      await Promise.all(
        [...this.lines].map(async (line) => {
          if (!(await this.keys.isLive(line.keyPrefix))) line.onClose();
        }),
      );
    } catch (err) {
      // A failed check is harmless, because each key is also checked before each event.
      this.logger.warn({ err }, 'the keys of open streams cannot be read now');
    }
  }
}
