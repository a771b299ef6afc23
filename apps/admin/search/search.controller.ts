import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';

class SearchDto {
  @ApiProperty({ description: 'A whole id or reference, ours or the provider’s.' })
  @Matches(/^[!-~]{2,100}$/, { message: '$property must be 2 to 100 visible ASCII characters' })
  q!: string;
}

const HIT_TYPES = [
  'order',
  'payment',
  'payout',
  'merchant',
  'account',
  'exception',
  'webhook',
] as const;

class SearchHit {
  @ApiProperty({ enum: HIT_TYPES })
  type!: (typeof HIT_TYPES)[number];

  @ApiProperty({ description: 'Of a webhook the provider’s event.' })
  id!: string;

  @ApiProperty({ description: 'What of it was found, e.g. `reference`.' })
  found!: string;

  @ApiProperty({ type: String, nullable: true })
  status!: string | null;

  @ApiProperty({ type: String, nullable: true })
  reference!: string | null;

  @ApiProperty({ type: String, nullable: true })
  platformId!: string | null;
}

class SearchAnswer {
  @ApiProperty({ type: SearchHit, isArray: true })
  items!: readonly SearchHit[];
}

const MAX_OF_KIND = 20;

interface Lookup {
  readonly type: (typeof HIT_TYPES)[number];
  readonly found: string;
  readonly from: string;
  readonly id: string;
  readonly status: string;
  readonly reference: string;
  readonly where: string;
}

const order = {
  type: 'order' as const,
  from: 'order_list',
  id: 'order_id',
  status: 'status',
  reference: 'reference',
};
const payment = {
  type: 'payment' as const,
  from: 'payment_list',
  id: 'payment_id',
  status: 'status',
  reference: 'order_id',
};
const payout = {
  type: 'payout' as const,
  from: 'payout_list',
  id: 'payout_id',
  status: 'status',
  reference: 'reference',
};
const merchant = {
  type: 'merchant' as const,
  from: 'merchant_list',
  id: 'merchant_id',
  status: 'status',
  reference: 'reference',
};
const account = {
  type: 'account' as const,
  from: 'provider_accounts',
  id: 'id',
  status: 'mode',
  reference: 'merchant_id',
};

const exception = {
  type: 'exception' as const,
  from: 'reconciliation_exceptions',
  id: 'exception_id',
  status: 'kind',
  reference: 'object_id',
};
const webhook = {
  type: 'webhook' as const,
  id: 'event_id',
  status: 'type',
  reference: 'intent_id',
  from: 'webhooks_received w LEFT JOIN provider_accounts a ON a.id = w.account_id',
};

/** Each is found by an index. */
const LOOKUPS: readonly Lookup[] = [
  { ...order, found: 'id', where: 'order_id = $1' },
  { ...order, found: 'reference', where: 'reference = $1' },
  { ...order, found: 'merchant', where: 'merchant_id = $1' },
  { ...payment, found: 'id', where: 'payment_id = $1' },
  { ...payment, found: 'intent', where: 'intent_id = $1' },
  { ...payment, found: 'provider id', where: 'provider_ids @> ARRAY[$1]' },
  {
    ...payment,
    found: 'refund',
    where: `refund_references <> '{}' AND refund_references @> ARRAY[$1]`,
  },
  { ...payment, found: 'account', where: 'account_id = $1' },
  { ...payout, found: 'id', where: 'payout_id = $1' },
  { ...payout, found: 'reference', where: 'reference = $1' },
  { ...merchant, found: 'id', where: 'merchant_id = $1' },
  { ...merchant, found: 'reference', where: 'reference = $1' },
  { ...merchant, found: 'company', where: 'company_id = $1' },
  { ...account, found: 'id', where: 'id = $1' },
  { ...account, found: 'merchant', where: 'merchant_id = $1' },
  { ...account, found: 'platform', where: 'platform_id = $1' },
  { ...exception, found: 'id', where: 'exception_id = $1' },
  { ...webhook, found: 'id', where: 'event_id = $1' },
];

const statementOf = ({ type, found, from, id, status, reference, where }: Lookup): string => `
  (SELECT '${type}' AS type, ${id} AS id, '${found}' AS found, ${status} AS status,
          ${reference} AS reference, platform_id AS "platformId"
     FROM ${from} WHERE ${where} LIMIT ${MAX_OF_KIND})`;

@ApiTags('Search')
@Controller('v1/search')
export class SearchController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'What has this id or reference', operationId: 'search' })
  @Answers({ status: 200, type: SearchAnswer, description: 'At most 20 of a kind.' }, 422)
  async find(@Query() { q }: SearchDto): Promise<SearchAnswer> {
    const text = LOOKUPS.map(statementOf).join(' UNION ALL ');
    return { items: (await this.pool.query<SearchHit>(text, [q])).rows };
  }
}
