import { Controller, Get, Param, type PipeTransform, Req, Res, type Type } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import type { RecordedEvent } from '#log';
import type { Scope } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { merchantIdPipe, orderIdPipe } from '../shared/id.pipe.js';
import { EventStreams, LAST_EVENT_ID, type Sent, unknownLastEventId } from './event-streams.js';
import { TimelineEntry, storyEntry, Timeline } from './story-entry.js';
import { Story, type Subject } from './story.js';

/** The id of an event, or a position, which release 0.2.0 sent as the id. */
const IS_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+-\d+-\d+)$/;

const streamWith = (example: TimelineEntry) =>
  ({
    description: 'A stream that stays open.',
    events: {
      type: TimelineEntry,
      example: `id: ${example.id}\nevent: ${example.type}\ndata: ${JSON.stringify(example)}\n\n`,
    },
  }) as const;
interface StoryRoutes {
  readonly tag: string;
  readonly scope: Scope;
  readonly idPipe: PipeTransform;
  readonly timelineId: string;
  readonly streamId: string;
  /** Text that is appended to the stream's description. */
  readonly more?: string;
  readonly example: Pick<TimelineEntry, 'type' | 'subjectId'>;
}

/** The timeline and the event stream of an order or a merchant. */
const storyController = (type: Subject['type'], routes: StoryRoutes): Type => {
  const { tag, scope, idPipe, timelineId, streamId, more = '', example } = routes;
  const notFound = `${type}_not_found` as const;
  const a = type === 'order' ? 'an order' : 'a merchant';

  @ApiTags(tag)
  @Controller(`v1/${type}s/:id`)
  class StoryController {
    constructor(
      private readonly story: Story,
      private readonly streams: EventStreams,
    ) {}

    @Get('timeline')
    @Allow(scope)
    @ApiOperation({ summary: `List all events of ${a}`, operationId: timelineId })
    @Answers(
      { type: Timeline, description: 'All events so far, oldest first.' },
      notFound,
      'timeline_too_long',
    )
    async timeline(
      @Param('id', idPipe) id: string,
      @CurrentCaller() caller: Caller,
    ): Promise<Timeline> {
      return { items: (await this.story.soFar(caller, { type, id })).map(storyEntry) };
    }

    @Get('events')
    @Allow(scope)
    @ApiOperation({
      summary: `Stream the events of ${a} as server-sent events`,
      operationId: streamId,
      description: `All events so far, then new ones; each \`data\` is an entry of the timeline.${more}`,
    })
    @ApiHeader(LAST_EVENT_ID)
    @Answers(
      streamWith({
        id: '3f2b8c1e-6a57-4d7e-9a55-0c6b1f0f5d10',
        version: 1,
        at: '2030-01-01T12:00:00.000Z',
        actor: 'platform:shop',
        data: {},
        type: example.type,
        subjectType: type,
        subjectId: example.subjectId,
      }),
      notFound,
      'timeline_too_long',
      'validation_failed',
      'too_many_streams',
    )
    events(
      @Param('id', idPipe) id: string,
      @CurrentCaller() caller: Caller,
      @Req() request: FastifyRequest,
      @Res() reply: FastifyReply,
    ): Promise<void> {
      const sent: Sent<RecordedEvent> = {
        open: (lastEventId) => {
          if (lastEventId !== null && !IS_ID.test(lastEventId)) throw unknownLastEventId();
          return this.story.follow(caller, { type, id }, lastEventId);
        },
        idOf: ({ eventId }) => eventId,
        dataOf: storyEntry,
      };
      return this.streams.send(caller, sent, request, reply);
    }
  }
  return StoryController;
};

export const OrderStoryController = storyController('order', {
  tag: 'Orders',
  scope: 'orders:read',
  idPipe: orderIdPipe,
  timelineId: 'getTimeline',
  streamId: 'followOrder',
  more: ' Stays open after the order is paid: events of its payment may follow days later.',
  example: { type: 'OrderPaid', subjectId: 'ord_3xKq0Zb7Yw2m4c9NfTgV1hJa' },
});

export const MerchantStoryController = storyController('merchant', {
  tag: 'Merchants',
  scope: 'merchants:read',
  idPipe: merchantIdPipe,
  timelineId: 'getMerchantTimeline',
  streamId: 'followMerchant',
  example: { type: 'MerchantDrafted', subjectId: 'mer_3xKq0Zb7Yw2m4c9NfTgV1hJa' },
});
