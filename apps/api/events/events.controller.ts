import { applyDecorators, Controller, Get, Header, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { STRUCTURED_MEDIA_TYPE, structuredCloudEvent } from '#kafka';
import type { StreamType } from '#kernel';
import type { Scope } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { eventIdPipe } from '../shared/id.pipe.js';
import { noSuch } from '../shared/tenancy.js';
import { CloudEventAnswer } from './cloud-event-answer.js';
import { EventFeed } from './event-feed.js';

/** The last version that a stream can have. */
const MAX_VERSION = 2_147_483_647;

const versionOf = (text: string): number => {
  const version = Number(text);
  if (/^[1-9]\d{0,9}$/.test(text) && version <= MAX_VERSION) return version;
  throw noSuch('event');
};

/** A route of its own for each stream type, as each has a scope of its own. */
const EventRoute = (streamType: StreamType, scope: Scope, operationId: string): MethodDecorator =>
  applyDecorators(
    Get(`${streamType}/:id/:version`),
    Allow(scope),
    Header('content-type', STRUCTURED_MEDIA_TYPE),
    ApiOperation({
      summary: `Read an event of ${/^[ao]/.test(streamType) ? 'an' : 'a'} ${streamType}`,
      operationId,
      description:
        'What the topic publishes, as the log has it: for services that confirm a message before ' +
        "they act on it. The version is the message's `ce_sequence`.",
    }),
    ApiParam({ name: 'version', schema: { type: 'integer', minimum: 1, maximum: MAX_VERSION } }),
    Answers(
      {
        status: 200,
        type: CloudEventAnswer,
        mediaType: STRUCTURED_MEDIA_TYPE,
        description: 'The event in the JSON format of CloudEvents 1.0.',
      },
      'event_not_found',
    ),
  );

@ApiTags('Events')
@Controller('v1/events')
export class EventsController {
  constructor(private readonly feed: EventFeed) {}

  @EventRoute('order', 'orders:read', 'getOrderEvent')
  order(
    @Param('id', eventIdPipe) id: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<CloudEventAnswer> {
    return this.read(caller, 'order', id, version);
  }

  @EventRoute('payment', 'payments:read', 'getPaymentEvent')
  payment(
    @Param('id', eventIdPipe) id: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<CloudEventAnswer> {
    return this.read(caller, 'payment', id, version);
  }

  @EventRoute('payout', 'payouts:read', 'getPayoutEvent')
  payout(
    @Param('id', eventIdPipe) id: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<CloudEventAnswer> {
    return this.read(caller, 'payout', id, version);
  }

  @EventRoute('merchant', 'merchants:read', 'getMerchantEvent')
  merchant(
    @Param('id', eventIdPipe) id: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<CloudEventAnswer> {
    return this.read(caller, 'merchant', id, version);
  }

  @EventRoute('account', 'accounts:read', 'getAccountEvent')
  account(
    @Param('id', eventIdPipe) id: string,
    @Param('version') version: string,
    @CurrentCaller() caller: Caller,
  ): Promise<CloudEventAnswer> {
    return this.read(caller, 'account', id, version);
  }

  private async read(
    caller: Caller,
    streamType: StreamType,
    streamId: string,
    version: string,
  ): Promise<CloudEventAnswer> {
    const stream = { streamType, streamId };
    return structuredCloudEvent(await this.feed.event(caller, stream, versionOf(version)));
  }
}
