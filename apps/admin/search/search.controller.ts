import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { Pool } from 'pg';
import { EVERYTHING, Lists } from '#lists';
import { Field, Nullable, OneOf, Problem } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Allow } from '../access/allow.js';
import { SEARCHED } from '../lists.js';
import { Answers, listOf } from '../shared/docs.js';

class SearchDto {
  @Field(
    'Ids and references or parts of them, amounts such as `€44.85`, dates, statuses, and operators ' +
      'such as `status:refunded amount:>100`.',
  )
  @Matches(/^[^\p{C}]{2,200}$/u, { message: '$property must be 2 to 200 visible characters' })
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

  @Nullable(
    String,
    'The field that equals the search, e.g. `reference`; null: found by a part of an id or ' +
      'reference, by an amount or by operators.',
  )
  found!: string | null;

  @Nullable(String, 'The status of the result; null: no status.')
  status!: string | null;

  @Nullable(String, 'The reference of the result; null: no reference.')
  reference!: string | null;

  @ApiProperty({
    enum: ACCOUNT_MODES,
    nullable: true,
    description: 'The mode of the result’s account or merchant; null: no mode.',
  })
  mode!: AccountMode | null;

  @Nullable(String, 'The platform of the result; null: no platform.')
  platformId!: string | null;

  @Nullable('integer', 'The amount in minor units; null: no amount, or `found` is not null.')
  amountMinor!: number | null;

  @Nullable(String, 'The currency of the amount.')
  currency!: string | null;

  @Nullable(String, 'When the result was created, for a payout the day; null: `found` is not null.')
  at!: string | null;
}

class SearchAnswer extends listOf(SearchHit) {}

const MAX_OF_KIND = 20;

interface Subject {
  readonly type: (typeof HIT_TYPES)[number];
  readonly from: string;
  readonly id: string;
  readonly status: string;
  readonly reference: string;
  /** Default: the mode of the account `account_id`. */
  readonly mode?: string;
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
    mode: 'mode',
    by: { id: 'payout_id = $1', reference: 'reference = $1' },
  },
  {
    type: 'merchant',
    from: 'merchant_list',
    id: 'merchant_id',
    status: 'status',
    reference: 'reference',
    mode: 'mode',
    by: { id: 'merchant_id = $1', reference: 'reference = $1', company: 'company_id = $1' },
  },
  {
    type: 'account',
    from: 'provider_accounts',
    id: 'id',
    status: 'mode',
    reference: 'merchant_id',
    mode: 'mode',
    by: { id: 'id = $1', merchant: 'merchant_id = $1', platform: 'platform_id = $1' },
  },
  {
    type: 'webhook_endpoint',
    from: 'webhook_endpoints',
    id: 'id',
    status: 'status',
    reference: 'host',
    mode: 'NULL',
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
    mode: 'a.mode',
    by: { id: 'event_id = $1' },
  },
];

/** The values of `found`: the fields that can equal a search. */
export const FOUND_BY = [...new Set(SUBJECTS.flatMap(({ by }) => Object.keys(by)))];

const OF_ACCOUNT = '(SELECT a.mode FROM provider_accounts a WHERE a.id = account_id)';

const STATEMENT = SUBJECTS.flatMap(({ type, from, id, status, reference, mode = OF_ACCOUNT, by }) =>
  Object.entries(by).map(
    ([found, where]) => `
  (SELECT '${type}' AS type, ${id} AS id, '${found}' AS found, ${status} AS status,
          ${reference} AS reference, ${mode} AS mode, platform_id AS "platformId",
          NULL::int AS "amountMinor", NULL AS currency, NULL AS at
     FROM ${from} WHERE ${where} LIMIT ${MAX_OF_KIND})`,
  ),
).join(' UNION ALL ');

/** The maximum number of results of each kind. A list's own page shows all its matches. */
const ROWS_OF_LIST = 10;

/**
 * The fields of a search result: the time of the row's creation (`at`), and the field that best
 * describes the row (`reference`).
 */
const SHOWN = {
  payment: { at: 'requestedAt', reference: 'orderId' },
  order: { at: 'placedAt', reference: 'reference' },
  payout: { at: 'date', reference: 'reference' },
  merchant: { at: 'draftedAt', reference: 'reference' },
} as const satisfies Readonly<Record<keyof typeof SEARCHED, object>>;

type Searched = keyof typeof SEARCHED;
type Row = Readonly<Record<string, string | number | null | undefined>>;

const hitOf = (type: Searched, row: Row): SearchHit => {
  const { at, reference } = SHOWN[type];
  return {
    type,
    found: null,
    reference: row[reference] ?? null,
    status: row['status'] ?? null,
    mode: row['mode'] ?? null,
    platformId: row['platformId'] ?? null,
    amountMinor: row['amountMinor'] ?? null,
    currency: row['currency'] ?? null,
    at: row[at] ?? null,
    id: row['id'],
  } as SearchHit;
};

const keyOf = ({ type, id }: SearchHit): string => `${type} ${id}`;

/**
 * The format of ids and references. A text of another format cannot equal an id or reference, so it
 * is not searched for.
 */
const ONE_WORD = /^[!-~]{2,100}$/;

@ApiTags('Search')
@Controller('v1/search')
export class SearchController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly lists: Lists,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'Search by ids, references and their parts, amounts, dates and operators',
  })
  @Answers(
    {
      type: SearchAnswer,
      description: 'At most 20 results of a type that equal the search, then at most 10 others.',
    },
    422,
  )
  async search(@Query() { q }: SearchDto): Promise<SearchAnswer> {
    const types = Object.keys(SEARCHED) as Searched[];
    const [exact, ...others] = await Promise.all([
      ONE_WORD.test(q) ? this.exact(q) : [],
      ...types.map((type) => this.inList(type, q)),
    ]);
    const known = new Set(exact.map(keyOf));
    const hits = others
      .flatMap((one) => (one instanceof Problem ? [] : one))
      .filter((hit) => !known.has(keyOf(hit)));
    const refusals = others.filter((one) => one instanceof Problem);
    const [refusal] = refusals.length === types.length ? refusals : [];
    if (exact.length === 0 && refusal !== undefined) throw refusal;
    return { items: [...exact, ...hits] };
  }

  private async exact(q: string): Promise<readonly SearchHit[]> {
    return (await this.pool.query<SearchHit>(STATEMENT, [q])).rows;
  }

  /**
   * Searches one list. The lists have different operators, so a list may refuse a search that
   * another list accepts.
   */
  private async inList(type: Searched, search: string): Promise<readonly SearchHit[] | Problem> {
    try {
      const query = { search, limit: ROWS_OF_LIST };
      const { items } = await this.lists.page<Row>(SEARCHED[type], EVERYTHING, query);
      return items.map((row) => hitOf(type, row));
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }
}
