import { Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Field } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import { type ChangeRequest, Idempotent, TakesIdempotencyKey } from '../shared/change-request.js';
import { Answers, CHANGE_ERRORS } from '../shared/docs.js';
import { webhookDeliveryIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { WebhookDeliveries } from './deliveries.js';
import { DeliveryAnswer } from './delivery-answer.js';
import { Redelivered } from './endpoints.controller.js';

class DiscardedDelivery {
  @Field('The id of the delivery.')
  id!: string;
}

@ApiTags('Webhooks')
@Controller('v1/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @Get(':id')
  @Allow('webhooks:read')
  @ApiOperation({ summary: 'Read a webhook delivery with its requests and responses' })
  @Answers({ type: DeliveryAnswer, description: 'The delivery.' }, 'webhook_delivery_not_found')
  getWebhookDelivery(
    @Param('id', webhookDeliveryIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryAnswer> {
    return this.deliveries.read(caller, id);
  }

  @Post(':id/redeliver')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Send a delivery again',
    description:
      'A failed delivery is sent before the later events of its subject, any other delivery after ' +
      'the events that are waiting.',
  })
  @Answers(
    { type: Redelivered, description: 'The delivery is sent again.' },
    ...CHANGE_ERRORS,
    'webhook_delivery_not_found',
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
    'delivery_in_progress',
  )
  redeliverWebhook(
    @Param('id', webhookDeliveryIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<Redelivered>> {
    return this.deliveries.redeliver(request, id);
  }

  @Post(':id/discard')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Discard a failed delivery',
    description: 'The later events of the same subject are sent; this event is not.',
  })
  @Answers(
    { type: DiscardedDelivery, description: 'The delivery is discarded.' },
    ...CHANGE_ERRORS,
    'webhook_delivery_not_found',
    'delivery_not_failed',
  )
  discardWebhook(
    @Param('id', webhookDeliveryIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<DiscardedDelivery>> {
    return this.deliveries.discard(request, id);
  }
}
