import { Readable } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import type { LogCursor } from '#log';
import { type Logger, LOGGER, Metrics, Problem } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { LiveKeys } from '../auth/live-keys.js';
import { Story, type Subject, type Told } from './story.js';
import { cursorText, parseCursor, storyEntry } from './story-entry.js';

const MAX_OPEN_STREAMS = 2_000;
/** So that no platform takes the others' streams. */
const MAX_OF_PLATFORM = 500;
const RETRY_MS = 1_000;
/** How long a stream on which nothing happens outlives its key. */
const CHECK_KEYS_MS = 1_000;

const frame = (told: Told): string =>
  told === null
    ? ': still here\n\n'
    : `id: ${cursorText(told.cursor)}\nevent: ${told.type}\n` +
      `data: ${JSON.stringify(storyEntry(told))}\n\n`;

/** Nothing is told that was read before the key was seen to be live. */
async function* frames(
  told: AsyncGenerator<Told>,
  isLive: () => Promise<boolean>,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of told) {
    if (!(await isLive())) return;
    yield frame(one);
  }
}

/** Throws `Problem` 422 when the header holds what we never gave. */
const sinceIn = ({ headers }: FastifyRequest): LogCursor | null => {
  const lastEventId = headers['last-event-id'];
  if (lastEventId === undefined) return null;
  const since = parseCursor(String(lastEventId));
  if (since !== null) return since;
  throw new Problem(422, 'validation_failed', 'Last-Event-ID is not an id that we gave', {
    errors: [{ detail: 'is not an id that we gave', parameter: 'Last-Event-ID' }],
  });
};

/** One stream, from before anything is waited for. */
interface Line {
  readonly keyPrefix: string;
  isClosed: boolean;
  onClose: () => void;
}

/** The open streams of server-sent events of this process: each ends with the key that opened it. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private open = 0;
  private readonly openOf = new Map<string, number>();
  private readonly lines = new Set<Line>();
  private readonly checks: NodeJS.Timeout;

  constructor(
    private readonly story: Story,
    private readonly keys: LiveKeys,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.checks = setInterval(() => void this.endWithTheirKeys(), CHECK_KEYS_MS);
    metrics.gauge('event_streams_open', 'Open server-sent event streams', [], (gauge) =>
      gauge.set(this.open),
    );
  }

  /**
   * Answers with a stream that stays open. Throws `Problem` 422 or 503, or `Rejection` when the
   * subject is not the caller's, before anything is sent.
   */
  async send(
    caller: Caller,
    subject: Subject,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const since = sinceIn(request);
    const ofPlatform = this.openOf.get(caller.platformId) ?? 0;
    if (this.open >= MAX_OPEN_STREAMS || ofPlatform >= MAX_OF_PLATFORM) {
      throw new Problem(503, 'too_many_streams', 'too many event streams are open: try again', {
        headers: { 'retry-after': '5' },
      });
    }
    const line = this.opened(caller, reply);
    const { told, stop } = await this.story.follow(caller, subject, since);
    // Who has hung up meanwhile is not told of by another `close`.
    if (line.isClosed) return stop();
    line.onClose = stop;
    const stream = Readable.from(
      frames(told, () => this.keys.isLive(caller.keyPrefix)),
      // Read from the queue only as fast as the subscriber takes it.
      { objectMode: false, highWaterMark: 16_384 },
    );
    await reply.header('x-accel-buffering', 'no').type('text/event-stream').send(stream);
  }

  /** Counts a stream from before anything is waited for, so that each ends the count it began. */
  private opened({ platformId, keyPrefix }: Caller, reply: FastifyReply): Line {
    const line: Line = { keyPrefix, isClosed: reply.raw.destroyed, onClose: () => {} };
    if (line.isClosed) return line;
    this.count(platformId, 1);
    this.lines.add(line);
    reply.raw.once('close', () => {
      this.count(platformId, -1);
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
      // Nothing is told meanwhile: each event waits for such an answer of its own.
      this.logger.warn({ err }, 'the keys of open streams cannot be read now');
    }
  }

  private count(platformId: string, more: 1 | -1): void {
    this.open += more;
    const left = (this.openOf.get(platformId) ?? 0) + more;
    if (left === 0) this.openOf.delete(platformId);
    else this.openOf.set(platformId, left);
  }
}
