import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Pool } from 'pg';
import { Field, Nullable, OneOf } from '#platform';
import { Allow } from '../access/allow.js';
import { Answers, listOf } from '../shared/docs.js';

class SearchDto {
  @Field('A complete id or reference, ours or the provider’s.')
  @Matches(/^[!-~]{2,100}$/, { message: '$property must be 2 to 100 visible ASCII characters' })
  q!: string;
}

const HIT_TYPES = [
  'order',
  'payment',
  'payout',
  'merchant',
  'account',
  'webhook_endpoint',
  'exception',
  'webhook',
] as const;

class SearchHit {
  @OneOf(HIT_TYPES, 'The type of the result.')
  type!: (typeof HIT_TYPES)[number];

  @Field('The id of the result; for a webhook, the provider’s event id.')
  id!: string;

  @Field('The matching field, e.g. `reference`.')
  found!: string;

  @Nullable(String, 'The status of the result; null: no status.')
  status!: string | null;

  @Nullable(String, 'The reference of the result; null: no reference.')
  reference!: string | null;

  @Nullable(String, 'The platform of the result; null: no platform.')
  platformId!: string | null;
}

class SearchAnswer extends listOf(SearchHit) {}

const MAX_OF_KIND = 20;

interface Subject {
  readonly type: (typeof HIT_TYPES)[number];
  readonly from: string;
  readonly id: string;
  readonly status: string;
  readonly reference: string;
  /** The query for each searchable field; every query uses an index. */
  readonly by: Readonly<Record<string, string>>;
}

const SUBJECTS: readonly Subject[] = [
  {
    type: 'order',
    from: 'order_list',
    id: 'order_id',
    status: 'status',
    reference: 'reference',
    by: { id: 'order_id = $1', reference: 'reference = $1', merchant: 'merchant_id = $1' },
  },
  {
    type: 'payment',
    from: 'payment_list',
    id: 'payment_id',
    status: 'status',
    reference: 'order_id',
    by: {
      id: 'payment_id = $1',
      intent: 'intent_id = $1',
      'provider id': 'provider_ids @> ARRAY[$1]',
      refund: `refund_references <> '{}' AND refund_references @> ARRAY[$1]`,
      account: 'account_id = $1',
    },
  },
  {
    type: 'payout',
    from: 'payout_list',
    id: 'payout_id',
    status: 'status',
    reference: 'reference',
    by: { id: 'payout_id = $1', reference: 'reference = $1' },
  },
  {
    type: 'merchant',
    from: 'merchant_list',
    id: 'merchant_id',
    status: 'status',
    reference: 'reference',
    by: { id: 'merchant_id = $1', reference: 'reference = $1', company: 'company_id = $1' },
  },
  {
    type: 'account',
    from: 'provider_accounts',
    id: 'id',
    status: 'mode',
    reference: 'merchant_id',
    by: { id: 'id = $1', merchant: 'merchant_id = $1', platform: 'platform_id = $1' },
  },
  {
    type: 'webhook_endpoint',
    from: 'webhook_endpoints',
    id: 'id',
    status: 'status',
    reference: 'host',
    by: { id: 'id = $1', host: 'host = $1', platform: 'platform_id = $1' },
  },
  {
    type: 'exception',
    from: 'reconciliation_exceptions',
    id: 'exception_id',
    status: 'kind',
    reference: 'object_id',
    by: { id: 'exception_id = $1' },
  },
  {
    type: 'webhook',
    from: 'webhooks_received w LEFT JOIN provider_accounts a ON a.id = w.account_id',
    id: 'event_id',
    status: 'type',
    reference: 'intent_id',
    by: { id: 'event_id = $1' },
  },
];

const STATEMENT = SUBJECTS.flatMap(({ type, from, id, status, reference, by }) =>
  Object.entries(by).map(
    ([found, where]) => `
  (SELECT '${type}' AS type, ${id} AS id, '${found}' AS found, ${status} AS status,
          ${reference} AS reference, platform_id AS "platformId"
     FROM ${from} WHERE ${where} LIMIT ${MAX_OF_KIND})`,
  ),
).join(' UNION ALL ');

@ApiTags('Search')
@Controller('v1/search')
export class SearchController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({ summary: 'Search by id or reference' })
  @Answers({ type: SearchAnswer, description: 'At most 20 results of a type.' }, 422)
  async search(@Query() { q }: SearchDto): Promise<SearchAnswer> {
    return { items: (await this.pool.query<SearchHit>(STATEMENT, [q])).rows };
  }
}
