import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Pool } from 'pg';
import { newId } from '#kernel';
import { EVENT_TYPES } from '#orchestrator';
import { DateTime, Field, Integer, Nullable, NullableDateTime, OneOf } from '#platform';
import {
  EndpointUrl,
  EventPatterns,
  EventsOfMerchant,
  mustBeAllowed,
  StoredEndpointDetails,
  WEBHOOK_TARGETS,
  type WebhookTargets,
} from '#webhook';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { ActionAnswer, actionPath } from '../actions/action-answers.js';
import { Actions } from '../actions/actions.js';
import { mustBeCreatable } from '../actions/endpoint-actions.js';
import { Answers, listOf } from '../shared/docs.js';
import { PlatformId } from '../shared/platform-id.js';
import { ReasonDto } from '../shared/reason.dto.js';

class CreateWebhookEndpointDto extends ReasonDto {
  @PlatformId()
  platformId!: string;

  @EndpointUrl()
  url!: string;

  @EventPatterns(EVENT_TYPES, { default: ['*'] })
  @IsOptional()
  eventTypes?: readonly string[];

  @EventsOfMerchant()
  merchantId?: string | null;
}

class WebhookEndpointItem {
  @Field('The webhook endpoint’s id.')
  id!: string;

  @Field('The platform to which the endpoint belongs.')
  platformId!: string;

  @Nullable(String, 'Only events of this merchant are sent; null: events of all merchants.')
  merchantId!: string | null;

  @Field('The host of the URL.')
  host!: string;

  @OneOf(['enabled', 'failing', 'disabled'], '`failing`: enabled, and the last attempt failed.')
  status!: 'enabled' | 'failing' | 'disabled';

  @NullableDateTime(
    'When the endpoint was disabled, or its first failed attempt since the last success.',
  )
  since!: string | null;

  @Integer('The number of deliveries that wait for their first attempt or for a retry.')
  pendingDeliveries!: number;

  @Integer('The number of deliveries without an attempt left.')
  failedDeliveries!: number;

  @DateTime('When the endpoint was created.')
  createdAt!: string;
}

class WebhookEndpointList extends listOf(WebhookEndpointItem, 'At most 1000.') {}

const ENDPOINTS = `
  SELECT e.id, e.platform_id AS "platformId", e.merchant_id AS "merchantId", e.host,
         CASE WHEN e.status = 'enabled' AND e.failing_since IS NOT NULL THEN 'failing'
              ELSE e.status END AS status,
         coalesce(e.disabled_at, e.failing_since) AS since, d.pending AS "pendingDeliveries",
         d.failed AS "failedDeliveries", e.created_at AS "createdAt"
    FROM webhook_endpoints e
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE state = 'pending')::int AS pending,
            count(*) FILTER (WHERE state = 'failed')::int AS failed
       FROM webhook_deliveries WHERE endpoint_id = e.id AND state IN ('pending', 'failed')) d
   WHERE e.status <> 'deleted' ORDER BY e.created_at DESC, e.id LIMIT 1000`;

@ApiTags('Settings')
@Controller('v1/webhook-endpoints')
export class WebhookEndpointsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly actions: Actions,
    private readonly details: StoredEndpointDetails,
    @Inject(WEBHOOK_TARGETS) private readonly targets: WebhookTargets,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'Webhook endpoints of platforms, without their URLs and secrets' })
  @Answers({ type: WebhookEndpointList, description: 'Newest first.' })
  async listWebhookEndpoints(): Promise<WebhookEndpointList> {
    return { items: (await this.pool.query<WebhookEndpointItem>(ENDPOINTS)).rows };
  }

  @Post()
  @Allow('admin')
  @ApiOperation({
    summary: 'Request a webhook endpoint',
    description:
      'The endpoint is created when a second admin approves the request, because it receives the ' +
      'events of the platform. The URL and the new secret are stored encrypted and never shown: the ' +
      'platform reads them with its API key, `GET /v1/webhook-endpoints/{id}/secret`.',
  })
  @Answers(
    {
      status: 201,
      location: actionPath,
      type: ActionAnswer,
      description: 'The action request, awaiting approval.',
    },
    409,
    422,
  )
  async createWebhookEndpoint(
    @Body() { platformId, reason, ...wanted }: CreateWebhookEndpointDto,
    @CurrentUser() by: Acting,
  ): Promise<ActionAnswer> {
    mustBeAllowed(wanted.url, this.targets);
    await mustBeCreatable(this.pool, platformId);
    const subjectId = newId('whe');
    // The target of an action is stored for ever, so it has only the reference of the URL and secret.
    const endpoint = await this.details.keepNew(subjectId, wanted);
    const target = { subjectId, platformId, endpoint };
    return this.actions.requestSetting({ kind: 'create_endpoint', target, reason }, by);
  }
}
