import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Field, Integer, ListOf, NullableDateTime } from '#platform';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import type { Answer } from '../shared/answer.js';
import {
  type ChangeRequest,
  Idempotent,
  type Origin,
  RequestOrigin,
  TakesIdempotencyKey,
} from '../shared/change-request.js';
import { Answers, BODY_ERRORS, CHANGE_ERRORS } from '../shared/docs.js';
import { problem } from '../shared/error-codes.js';
import { webhookEndpointIdPipe } from '../shared/id.pipe.js';
import { NoFields } from '../shared/no-fields.js';
import { WebhookDeliveries } from './deliveries.js';
import { EndpointAnswer, EndpointSecretAnswer, EndpointStateAnswer } from './endpoint-answer.js';
import {
  ChangeEndpointDto,
  CreateEndpointDto,
  RedeliverDto,
  RotateSecretDto,
} from './endpoint.dto.js';
import { WebhookEndpoints } from './endpoints.js';

const instantOf = (text: string): number => new Date(text).getTime();

class EndpointList {
  @ListOf(EndpointStateAnswer, 'Oldest first.')
  items!: readonly EndpointStateAnswer[];
}

class DeletedEndpoint {
  @Field('The id of the webhook endpoint.')
  id!: string;
}

class Redelivered {
  @Integer('The number of deliveries that will be sent again, at most 10,000.')
  requested!: number;

  @NullableDateTime(
    'The `from` of a request for the deliveries that follow; null if there are no more.',
  )
  nextFrom!: string | null;
}

@ApiTags('Webhooks')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  @Post()
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Create a webhook endpoint',
    description:
      'From now on (and perhaps a moment before), each event that matches is sent to the URL as a POST request: the CloudEvent ' +
      'that `GET /v1/events` lists, signed as Standard Webhooks define it. `webhook-id` is the id ' +
      'of the event. An event may be sent more than once; the events of one order, payment, payout, ' +
      'merchant or account are sent in order. Respond with 2xx within 15 seconds; otherwise the ' +
      'event is sent again for three days. Redirects are not followed. A key with this scope can ' +
      'receive all events of the platform.',
  })
  @Answers(
    { status: 201, type: EndpointAnswer, description: 'The endpoint.' },
    ...CHANGE_ERRORS,
    'too_many_webhook_endpoints',
  )
  createWebhookEndpoint(
    @Body() wanted: CreateEndpointDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<EndpointAnswer>> {
    return this.endpoints.create(request, wanted);
  }

  @Get()
  @Allow('webhooks:read')
  @ApiOperation({ summary: 'List your webhook endpoints' })
  @Answers({ type: EndpointList, description: 'Your webhook endpoints.' })
  async listWebhookEndpoints(@CurrentCaller() caller: Caller): Promise<EndpointList> {
    return { items: await this.endpoints.list(caller) };
  }

  @Get(':id')
  @Allow('webhooks:read')
  @ApiOperation({ summary: 'Read a webhook endpoint' })
  @Answers(
    { type: EndpointStateAnswer, description: 'The endpoint.' },
    'webhook_endpoint_not_found',
  )
  getWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<EndpointStateAnswer> {
    return this.endpoints.read(caller, id);
  }

  @Get(':id/secret')
  @Allow('webhooks:write')
  @ApiOperation({ summary: 'Read the URL and the secret of a webhook endpoint' })
  @Answers(
    { type: EndpointSecretAnswer, description: 'Do not log it.' },
    'webhook_endpoint_not_found',
  )
  getWebhookSecret(
    @Param('id', webhookEndpointIdPipe) id: string,
    @CurrentCaller() caller: Caller,
  ): Promise<EndpointSecretAnswer> {
    return this.endpoints.secret(caller, id);
  }

  @Patch(':id')
  @Allow('webhooks:write')
  @ApiOperation({
    summary: 'Change the URL, the event types or the merchant of a webhook endpoint',
    description: 'The secret stays. Deliveries that are waiting are sent to the new URL.',
  })
  @Answers(
    { type: EndpointAnswer, description: 'The changed endpoint.' },
    ...BODY_ERRORS,
    'webhook_endpoint_not_found',
    'too_many_changes',
  )
  changeWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @Body() changes: ChangeEndpointDto,
    @RequestOrigin() origin: Origin,
  ): Promise<EndpointAnswer> {
    return this.endpoints.change(origin, id, changes);
  }

  @Delete(':id')
  @Allow('webhooks:write')
  @ApiOperation({
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries that are waiting are not sent.',
  })
  @Answers(
    { type: DeletedEndpoint, description: 'The endpoint is deleted.' },
    'busy',
    'webhook_endpoint_not_found',
  )
  deleteWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @RequestOrigin() origin: Origin,
  ): Promise<DeletedEndpoint> {
    return this.endpoints.delete(origin, id);
  }

  @Post(':id/disable')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Disable a webhook endpoint',
    description: 'Events wait until you enable it, for at most 30 days.',
  })
  @Answers(
    { type: EndpointAnswer, description: 'The disabled endpoint.' },
    ...CHANGE_ERRORS,
    'webhook_endpoint_not_found',
  )
  disableWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<EndpointAnswer>> {
    return this.endpoints.command(request, id, { type: 'DisableEndpoint', reason: 'requested' });
  }

  @Post(':id/enable')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Enable a webhook endpoint',
    description: 'The deliveries that are waiting are sent, in order for each subject.',
  })
  @Answers(
    { type: EndpointAnswer, description: 'The enabled endpoint.' },
    ...CHANGE_ERRORS,
    'webhook_endpoint_not_found',
    'too_many_changes',
  )
  enableWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<EndpointAnswer>> {
    return this.endpoints.command(request, id, { type: 'EnableEndpoint' });
  }

  @Post(':id/test')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sends the event `WebhookEndpointTested` once, whichever event types are chosen. ' +
      '`GET /v1/webhook-deliveries?subject=<id of the endpoint>` shows the result.',
  })
  @Answers(
    { type: EndpointAnswer, description: 'The event will be sent.' },
    ...CHANGE_ERRORS,
    'webhook_endpoint_not_found',
    'too_many_changes',
    'webhook_endpoint_disabled',
  )
  testWebhookEndpoint(
    @Param('id', webhookEndpointIdPipe) id: string,
    @NoFields() _fields: void,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<EndpointAnswer>> {
    return this.endpoints.command(request, id, { type: 'TestEndpoint' });
  }

  @Post(':id/rotate-secret')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'For 24 hours, messages are signed with the former secret, too, and the secret is not rotated again. ' +
      '`GET …/secret` returns both. `revokeFormer` ends the former secret at once.',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @Answers(
    { type: EndpointAnswer, description: 'The endpoint has a new secret.' },
    ...CHANGE_ERRORS,
    'webhook_endpoint_not_found',
    'too_many_changes',
    'webhook_secret_rotating',
  )
  rotateWebhookSecret(
    @Param('id', webhookEndpointIdPipe) id: string,
    @Body() { revokeFormer = false }: RotateSecretDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<EndpointAnswer>> {
    return this.endpoints.rotateSecret(request, id, revokeFormer);
  }

  @Post(':id/redeliveries')
  @Allow('webhooks:write')
  @TakesIdempotencyKey()
  @ApiOperation({
    summary: 'Send the deliveries of a period again',
    description:
      'Oldest first, at most 10,000; then `nextFrom` is the `from` of the next request. Deliveries are ' +
      'stored for 30 days.',
  })
  @Answers(
    { type: Redelivered, description: 'The deliveries are sent again.' },
    ...CHANGE_ERRORS,
    'webhook_endpoint_not_found',
    'webhook_endpoint_disabled',
  )
  redeliverWebhooks(
    @Param('id', webhookEndpointIdPipe) id: string,
    @Body() { from, to, states }: RedeliverDto,
    @Idempotent() request: ChangeRequest,
  ): Promise<Answer<Redelivered>> {
    if (instantOf(from) >= instantOf(to)) {
      throw problem('validation_failed', {
        detail: 'to must be later than from',
        errors: [{ detail: 'must be later than from', pointer: '#/to' }],
      });
    }
    const period = { from, to, states: states ?? ['pending', 'failed'] };
    return this.deliveries.redeliverPeriod(request, id, period);
  }
}
