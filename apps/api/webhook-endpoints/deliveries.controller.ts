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

class ChangedDelivery {
  @Field('The id of the delivery.')
  id!: string;
}

@ApiTags('Webhooks')
@Controller('v1/webhook-deliveries')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveries) {}

  @Get(':id')
  @Allow('webhooks:read')
  @ApiOperation({
    summary: 'Read a webhook delivery with its requests and responses',
    description:
      'The body of the requests is the event, which `GET /v1/events/{type}/{id}/{version}` returns.',
  })
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
    summary: 'Send a delivery now, or again',
    description:
      'A waiting delivery is sent now. It is sent before the later events of its subject that are ' +
      'waiting; if it fails, these wait.',
  })
  @Answers(
    { type: ChangedDelivery, description: 'The delivery will be sent.' },
    ...CHANGE_ERRORS,
    'webhook_delivery_not_found',
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
  )
  redeliverWebhook(
    @Param('id', webhookDeliveryIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<ChangedDelivery>> {
    return this.deliveries.redeliver(request, id);
  }

  @Post(':id/discard')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Discard a delivery that has not succeeded',
    description: 'The later events of the same subject are sent; this event is not.',
  })
  @Answers(
    { type: ChangedDelivery, description: 'The delivery is discarded.' },
    ...CHANGE_ERRORS,
    'webhook_delivery_not_found',
    'delivery_succeeded',
  )
  discardWebhook(
    @Param('id', webhookDeliveryIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<ChangedDelivery>> {
    return this.deliveries.discard(request, id);
  }
}
