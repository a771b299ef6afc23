import { Controller, Get, Header, Param, type Type } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { STRUCTURED_MEDIA_TYPE, structuredCloudEvent } from '#kafka';
import { EventStore, type StreamRef } from '#log';
import { Rejection, type StreamType } from '#kernel';
import type { Scope } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { eventIdPipe } from '../shared/id.pipe.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';
import { CloudEventAnswer } from './cloud-event-answer.js';

/** The highest version that a stream can have. */
const MAX_VERSION = 2_147_483_647;

const versionOf = (text: string): number => {
  const version = Number(text);
  if (/^[1-9]\d{0,9}$/.test(text) && version <= MAX_VERSION) return version;
  throw noSuch('event');
};

/**
 * Refuses a stream that does not exist or belongs to another platform. The error code differs from
 * that of a wrong URL, although both are a 404.
 */
const mustOwn = async (
  tenancy: Tenancy,
  caller: Caller,
  { streamType, streamId }: StreamRef,
): Promise<void> => {
  try {
    await tenancy[streamType](caller, streamId);
  } catch (error) {
    const isMiss = error instanceof Rejection && error.code === `${streamType}_not_found`;
    throw isMiss ? noSuch('event') : error;
  }
};

/** One controller per stream type, since each type has its own scope. */
const eventController = (streamType: StreamType, scope: Scope, operationId: string): Type => {
  @ApiTags('Events')
  @Controller(`v1/events/${streamType}`)
  class EventController {
    constructor(
      private readonly store: EventStore,
      private readonly tenancy: Tenancy,
    ) {}

    @Get(':id/:version')
    @Allow(scope)
    @Header('content-type', STRUCTURED_MEDIA_TYPE)
    @ApiOperation({
      summary: `Read an event of ${/^[ao]/.test(streamType) ? 'an' : 'a'} ${streamType}`,
      operationId,
      description:
        'Returns the event that the topic publishes, from the log: for services that verify a message before ' +
        "they act on it. The version is the message's `ce_sequence`.",
    })
    @ApiParam({ name: 'version', schema: { type: 'integer', minimum: 1, maximum: MAX_VERSION } })
    @Answers(
      {
        type: CloudEventAnswer,
        mediaType: STRUCTURED_MEDIA_TYPE,
        description: 'The event in the JSON format of CloudEvents 1.0.',
      },
      'event_not_found',
    )
    async read(
      @Param('id', eventIdPipe) streamId: string,
      @Param('version') text: string,
      @CurrentCaller() caller: Caller,
    ): Promise<CloudEventAnswer> {
      const stream = { streamType, streamId };
      const version = versionOf(text);
      await mustOwn(this.tenancy, caller, stream);
      const [event] = await this.store.readStream(stream, version - 1, 1);
      if (event === undefined) throw noSuch('event');
      return structuredCloudEvent(event);
    }
  }
  return EventController;
};

export const EVENT_CONTROLLERS = [
  eventController('order', 'orders:read', 'getOrderEvent'),
  eventController('payment', 'payments:read', 'getPaymentEvent'),
  eventController('payout', 'payouts:read', 'getPayoutEvent'),
  eventController('merchant', 'merchants:read', 'getMerchantEvent'),
  eventController('account', 'accounts:read', 'getAccountEvent'),
  eventController('webhook_endpoint', 'webhooks:read', 'getWebhookEndpointEvent'),
];
