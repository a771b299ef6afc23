import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import type { LogCursor } from '#event-store';
import { Metrics, Problem } from '#platform';
import type { Caller } from '../auth/key-verifier.js';
import { Story, type Subject, type Told } from './story.js';
import { cursorText, parseCursor, storyEntry } from './story-entry.js';

const MAX_OPEN_STREAMS = 2_000;
/** So that no platform takes the others' streams. */
const MAX_OF_PLATFORM = 500;
const RETRY_MS = 1_000;

const frame = (told: Told): string =>
  told === null
    ? ': still here\n\n'
    : `id: ${cursorText(told.cursor)}\nevent: ${told.type}\n` +
      `data: ${JSON.stringify(storyEntry(told))}\n\n`;

async function* frames(told: AsyncGenerator<Told>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of told) yield frame(one);
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

/** The open streams of server-sent events of this process. */
@Injectable()
export class EventStreams {
  private open = 0;
  private readonly openOf = new Map<string, number>();

  constructor(
    private readonly story: Story,
    metrics: Metrics,
  ) {
    metrics.gauge('event_streams_open', 'Open server-sent event streams', [], (gauge) =>
      gauge.set(this.open),
    );
  }

  /**
   * Answers with a stream that stays open. Throws `Problem` 422 or 503, or `Rejection` when the
   * subject is not the caller's, before anything is sent.
   */
  async send(
    caller: Caller, subject: Subject, request: FastifyRequest, reply: FastifyReply,
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
      frames(told),
      // Read from the queue only as fast as the subscriber takes it.
      { objectMode: false, highWaterMark: 16_384 },
    );
    await reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream')
      .send(stream);
  }

  /** Counts a stream from before anything is waited for, so that each ends the count it began. */
  private opened(
    { platformId }: Caller,
    reply: FastifyReply,
  ): { isClosed: boolean; onClose: () => void } {
    const line = { isClosed: reply.raw.destroyed, onClose: (): void => {} };
    if (line.isClosed) return line;
    this.count(platformId, 1);
    reply.raw.once('close', () => {
      this.count(platformId, -1);
      line.isClosed = true;
      line.onClose();
    });
    return line;
  }

  private count(platformId: string, more: 1 | -1): void {
    this.open += more;
    const left = (this.openOf.get(platformId) ?? 0) + more;
    if (left === 0) this.openOf.delete(platformId);
    else this.openOf.set(platformId, left);
  }
}
