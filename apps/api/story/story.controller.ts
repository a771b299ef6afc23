import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { merchantIdPipe, orderIdPipe } from '../shared/id.pipe.js';
import { EventStreams } from './event-streams.js';
import { StoryEntry, storyEntry, Timeline } from './story-entry.js';
import { Story } from './story.js';

// Not as a parameter of its own: the API reference would list the header again, as required.
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description: 'The id of the last event that was received: goes on after it.',
};
const TIMELINE = {
  status: 200,
  type: Timeline,
  description: 'All events so far, oldest first.',
} as const;
const streamWith = (example: StoryEntry) =>
  ({
    status: 200,
    description: 'A stream that stays open.',
    events: {
      type: StoryEntry,
      example: `id: 1-763-42\nevent: ${example.type}\ndata: ${JSON.stringify(example)}\n\n`,
    },
  }) as const;
const ENTRY = {
  id: '3f2b8c1e-6a57-4d7e-9a55-0c6b1f0f5d10',
  version: 1,
  at: '2030-01-01T12:00:00.000Z',
  actor: 'platform:shop',
  data: {},
} as const;
const ORDER_STREAM = streamWith({
  ...ENTRY,
  type: 'OrderPaid',
  subjectType: 'order',
  subjectId: 'ord_3xKq0Zb7Yw2m4c9NfTgV1hJa',
});
const MERCHANT_STREAM = streamWith({
  ...ENTRY,
  type: 'MerchantDrafted',
  subjectType: 'merchant',
  subjectId: 'mer_3xKq0Zb7Yw2m4c9NfTgV1hJa',
});

@ApiTags('Orders')
@Controller('v1/orders/:id')
export class OrderStoryController {
  constructor(
    private readonly story: Story,
    private readonly streams: EventStreams,
  ) {}

  @Get('timeline')
  @Allow('orders:read')
  @ApiOperation({ summary: 'All that has happened for an order', operationId: 'getTimeline' })
  @Answers(TIMELINE, 'order_not_found')
  async timeline(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<Timeline> {
    return { items: (await this.story.soFar(caller, { type: 'order', id })).map(storyEntry) };
  }

  @Get('events')
  @Allow('orders:read')
  @ApiOperation({
    summary: 'All that happens for an order, as server-sent events',
    operationId: 'followOrder',
    description:
      'From the beginning, then as it happens; each `data` is an entry of the timeline. Stays ' +
      'open after the order is paid: facts of its payment come days later.',
  })
  @ApiHeader(LAST_EVENT_ID)
  @Answers(ORDER_STREAM, 'order_not_found', 'validation_failed', 'too_many_streams')
  events(
    @Param('id', orderIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.streams.send(caller, { type: 'order', id }, request, reply);
  }
}

@ApiTags('Merchants')
@Controller('v1/merchants/:id')
export class MerchantStoryController {
  constructor(
    private readonly story: Story,
    private readonly streams: EventStreams,
  ) {}

  @Get('timeline')
  @Allow('merchants:read')
  @ApiOperation({
    summary: 'All that has happened for a merchant',
    operationId: 'getMerchantTimeline',
  })
  @Answers(TIMELINE, 'merchant_not_found')
  async timeline(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<Timeline> {
    return { items: (await this.story.soFar(caller, { type: 'merchant', id })).map(storyEntry) };
  }

  @Get('events')
  @Allow('merchants:read')
  @ApiOperation({
    summary: 'All that happens for a merchant, as server-sent events',
    operationId: 'followMerchant',
    description: 'From the beginning, then as it happens; each `data` is an entry of the timeline.',
  })
  @ApiHeader(LAST_EVENT_ID)
  @Answers(MERCHANT_STREAM, 'merchant_not_found', 'validation_failed', 'too_many_streams')
  events(
    @Param('id', merchantIdPipe) id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.streams.send(caller, { type: 'merchant', id }, request, reply);
  }
}
