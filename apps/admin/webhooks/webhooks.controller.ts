import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { IdFilter, OneOf } from '../shared/filters.js';
import { type ListSpec, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

/** Which webhooks to list, newest first. */
class WebhookFilter extends PageDto {
  @OneOf(['open', 'handled'])
  state?: 'open' | 'handled';

  @IdFilter()
  accountId?: string;

  @IdFilter("The provider's (`pi_…`).")
  intentId?: string;

  @IdFilter("The provider's (`evt_…`).")
  eventId?: string;
}

class RefusedFilter extends PageDto {
  @IdFilter()
  accountId?: string;
}

class WebhookItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt!: string;

  @ApiProperty()
  accountId!: string;

  @ApiProperty({ description: "The provider's." })
  eventId!: string;

  @ApiProperty()
  type!: string;

  @ApiProperty({ type: String, nullable: true })
  intentId!: string | null;

  @ApiProperty({ type: 'integer' })
  tries!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  handledAt!: string | null;

  @ApiProperty({ description: 'What came of it.' })
  note!: string;
}

class WebhookPage {
  @ApiProperty({ type: WebhookItem, isArray: true })
  items!: readonly WebhookItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

class RefusedItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ format: 'date-time' })
  receivedAt!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Null: none of ours.' })
  accountId!: string | null;

  @ApiProperty({ description: 'Whoever sent it was not told.' })
  reason!: string;

  @ApiProperty({ type: 'integer' })
  bodyBytes!: number;

  @ApiProperty({ description: 'Hexadecimal SHA-256: the same body again is the same.' })
  bodySha256!: string;
}

class RefusedPage {
  @ApiProperty({ type: RefusedItem, isArray: true })
  items!: readonly RefusedItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const RECEIVED: ListSpec = {
  from: 'webhooks_received',
  select: `id::text AS id, received_at AS "receivedAt", account_id AS "accountId",
    event_id AS "eventId", type, intent_id AS "intentId", tries, handled_at AS "handledAt", note`,
  at: 'received_at',
  id: 'webhooks_received.id',
  filters: {
    state: { open: 'handled_at IS NULL', handled: 'handled_at IS NOT NULL' },
    accountId: 'account_id = ?', intentId: 'intent_id = ?', eventId: 'event_id = ?',
  },
};

const REFUSED: ListSpec = {
  from: 'webhooks_refused',
  select: `id::text AS id, received_at AS "receivedAt", account_id AS "accountId", reason,
    body_bytes AS "bodyBytes", encode(body_sha256, 'hex') AS "bodySha256"`,
  at: 'received_at',
  id: 'webhooks_refused.id',
  filters: { accountId: 'account_id = ?' },
};

@ApiTags('Webhooks')
@Controller('v1')
export class WebhooksController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get('webhooks')
  @Allow('viewer')
  @ApiOperation({ summary: 'Webhooks that were accepted, newest first', operationId: 'listWebhooks' })
  @Answers({ status: 200, type: WebhookPage, description: 'A page of webhooks.' }, 422)
  list(@Query() filter: WebhookFilter): Promise<WebhookPage> {
    const { cursor } = filter;
    return readPage(this.pool, RECEIVED, { filters: filter, cursor, limit: limitOf(filter) });
  }

  @Get('webhooks-refused')
  @Allow('viewer')
  @ApiOperation({
    summary: 'Webhooks that were not accepted, with why, newest first',
    operationId: 'listRefusedWebhooks',
    description: 'At most ten a second are kept.',
  })
  @Answers({ status: 200, type: RefusedPage, description: 'A page of refused webhooks.' }, 422)
  refused(@Query() filter: RefusedFilter): Promise<RefusedPage> {
    const { cursor } = filter;
    return readPage(this.pool, REFUSED, { filters: filter, cursor, limit: limitOf(filter) });
  }
}
