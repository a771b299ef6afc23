import { applyDecorators, Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { structuredCloudEvent } from '#kafka';
import { type Instant, parseInstant } from '#kernel';
import { filterField, limitField, type Paging } from '#lists';
import type { LogCursor, PlatformFilter } from '#log';
import { EVENT_TYPES } from '#orchestrator';
import { Field, ListOf } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { problem } from '../shared/error-codes.js';
import {
  EventStreams,
  LAST_EVENT_ID,
  type Sent,
  unknownLastEventId,
} from '../story/event-streams.js';
import { CURSOR, Cursors } from './cursors.js';
import { CloudEventAnswer } from './cloud-event-answer.js';
import { Feed, type FeedItem } from './feed.js';

const PAGING: Paging = { usual: 100, most: 500 };

/** The query parameters of the feed and of its stream. */
class FeedQuery {
  @applyDecorators(
    ...filterField({ is: 'several', of: EVENT_TYPES, means: 'Only events of these types.' }),
  )
  type?: readonly string[];

  @applyDecorators(
    ...filterField({
      is: 'id',
      means: 'Only events of this merchant, without payments that release 0.2.0 or earlier began.',
    }),
  )
  merchantId?: string;

  @applyDecorators(
    ...filterField({ is: 'instant', means: 'Only events whose `time` is this or later.' }),
  )
  since?: string;

  @ApiPropertyOptional({
    type: String,
    description: '`nextCursor` of the previous page, or the id of an event of the stream.',
  })
  @IsOptional()
  @Matches(CURSOR, { message: '$property is not a cursor: send `nextCursor` of the previous page' })
  cursor?: string;
}

class FeedPageQuery extends FeedQuery {
  @applyDecorators(...limitField(PAGING))
  limit?: number;
}

/** A page of the events of a platform. */
export class EventPage {
  @ListOf(CloudEventAnswer, 'The events, oldest first.')
  items!: readonly CloudEventAnswer[];

  @Field(
    'The cursor of the next page. Store it: later events follow after it. Its text has no meaning, and ' +
      'differs each time.',
    { example: 'k1.x0…' },
  )
  nextCursor!: string;

  @ApiProperty({
    type: Boolean,
    description:
      'Whether more events can be read now; a page with a filter may be empty although more follow. ' +
      'If false, ask again later.',
  })
  hasMore!: boolean;
}

const filterOf = ({ type, merchantId, since }: FeedQuery): PlatformFilter => ({
  types: type,
  merchantId,
  since: since === undefined ? undefined : instantOf(since),
});

const instantOf = (text: string): Instant => parseInstant(new Date(text).toISOString());

/** All events of a platform, for platforms without Kafka. */
@ApiTags('Events')
@Controller('v1/events')
export class FeedController {
  constructor(
    private readonly feed: Feed,
    private readonly streams: EventStreams,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Allow('events:read')
  @ApiOperation({
    summary: 'List the events of all your orders, payments, payouts, merchants and accounts',
    operationId: 'listEvents',
    description:
      'Oldest first, as the Kafka topics publish them. Each event is listed once, and never before a ' +
      'cursor that you have already received. An event may be listed a moment after it was recorded. ' +
      'Events of release 0.2.0 and earlier are not listed.',
  })
  @Answers({ type: EventPage, description: 'A page of events.' }, 'validation_failed')
  async list(
    @Query() query: FeedPageQuery,
    @CurrentCaller() { platformId }: Caller,
  ): Promise<EventPage> {
    const limit = query.limit ?? PAGING.usual;
    const cursor = this.cursorIn(platformId, query);
    const page = await this.feed.page(platformId, filterOf(query), cursor, limit);
    return {
      items: page.events.map(structuredCloudEvent),
      nextCursor: this.cursors.textOf(platformId, page.next),
      hasMore: !page.isEnd,
    };
  }

  @Get('stream')
  @Allow('events:read')
  @ApiOperation({
    summary: 'Stream the events of all your resources as server-sent events',
    operationId: 'followEvents',
    description:
      'Events after `Last-Event-ID`, or else after `cursor`, or else only new events; each `data` is ' +
      'an event of the list.',
  })
  @ApiHeader(LAST_EVENT_ID)
  @Answers(
    {
      description: 'A stream that stays open.',
      events: {
        type: CloudEventAnswer,
        example:
          'id: k1.x0…\nevent: OrderPaid\n' +
          'data: {"specversion":"1.0","type":"payment-orchestrator.OrderPaid","data":{}}\n\n',
      },
    },
    'validation_failed',
    'too_many_streams',
  )
  stream(
    @Query() query: FeedQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { platformId } = caller;
    const sent: Sent<FeedItem> = {
      open: (lastEventId) =>
        this.feed.follow(platformId, filterOf(query), this.sinceIn(platformId, query, lastEventId)),
      idOf: (one) => this.cursors.textOf(platformId, 'after' in one ? one.after : one.cursor),
      dataOf: structuredCloudEvent,
    };
    return this.streams.send(caller, sent, request, reply);
  }

  /** Throws `Problem` 422 for an id that no stream has sent to the platform. */
  private sinceIn(platformId: string, query: FeedQuery, id: string | null): LogCursor | null {
    if (id === null) return this.cursorIn(platformId, query);
    const position = this.cursors.read(platformId, id);
    if (position !== null) return position;
    throw unknownLastEventId();
  }

  /** Throws `Problem` 422 for a cursor that the platform has not received. */
  private cursorIn(platformId: string, { cursor }: FeedQuery): LogCursor | null {
    if (cursor === undefined) return null;
    const position = this.cursors.read(platformId, cursor);
    if (position !== null) return position;
    throw problem('validation_failed', {
      detail:
        'the cursor is not one that you received, or is too old: send the last `nextCursor` that ' +
        'you received, or read again from a time with `since`',
      errors: [{ detail: 'must be a cursor that you received', parameter: 'cursor' }],
    });
  }
}
