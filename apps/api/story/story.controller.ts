import { Readable } from 'node:stream';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Metrics, Problem } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { orderIdPipe } from '../shared/id.pipe.js';
import { cursorText, parseCursor, storyEntry, StoryEntry } from './story-entry.js';
import { Story, type Told } from './story.js';

const MAX_OPEN_STREAMS = 2_000;
/** So that no platform takes the others' streams. */
const MAX_OF_PLATFORM = 500;
const RETRY_MS = 1_000;

class Timeline {
  @ApiProperty({ type: StoryEntry, isArray: true })
  items!: readonly StoryEntry[];
}

const frame = (told: Told): string =>
  told === null
    ? ': still here\n\n'
    : `id: ${cursorText(told.cursor)}\nevent: ${told.type}\n` +
      `data: ${JSON.stringify(storyEntry(told))}\n\n`;

async function* frames(told: AsyncGenerator<Told>): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\n\n`;
  for await (const one of told) yield frame(one);
}

@ApiTags('Orders')
@Controller('v1/orders/:id')
export class StoryController {
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

  @Get('timeline')
  @Allow('orders:read')
  @ApiOperation({ summary: 'All that has happened for an order', operationId: 'getTimeline' })
  @Answers(
    { status: 200, type: Timeline, description: 'All events so far, oldest first.' },
    'order_not_found',
  )
  async timeline(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<Timeline> {
    return { items: (await this.story.soFar(caller, id)).map(storyEntry) };
  }

  @Get('events')
  @Allow('orders:read')
  @ApiOperation({
    summary: 'All that happens for an order, as server-sent events', operationId: 'followOrder',
    description:
      'From the beginning, then as it happens; each `data` is an entry of the timeline. Stays ' +
      'open after the order is paid: facts of its payment come days later.',
  })
  @ApiHeader({
    name: 'Last-Event-ID', required: false,
    description: 'The id of the last event that was received: goes on after it.',
  })
  @Answers(
    { status: 200, mediaType: 'text/event-stream', description: 'A stream that stays open.' },
    'order_not_found', 'validation_failed', 'too_many_streams',
  )
  async events(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // Not as a parameter of its own: the API reference would list the header again, as required.
    const lastEventId = request.headers['last-event-id'];
    const since = lastEventId === undefined ? null : parseCursor(String(lastEventId));
    if (lastEventId !== undefined && since === null) {
      throw new Problem(422, 'validation_failed', 'Last-Event-ID is not an id that we gave', {
        errors: [{ detail: 'is not an id that we gave', parameter: 'Last-Event-ID' }],
      });
    }
    const ofPlatform = this.openOf.get(caller.platformId) ?? 0;
    if (this.open >= MAX_OPEN_STREAMS || ofPlatform >= MAX_OF_PLATFORM) {
      throw new Problem(503, 'too_many_streams', 'too many event streams are open: try again', {
        headers: { 'retry-after': '5' },
      });
    }
    const line = this.opened(caller, reply);
    const { told, stop } = await this.story.follow(caller, id, since);
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
}
