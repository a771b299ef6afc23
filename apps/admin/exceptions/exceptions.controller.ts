import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Pool } from 'pg';
import { Allow } from '../access/allow.js';
import { Answers } from '../shared/docs.js';
import { IdFilter, OneOf } from '../shared/filters.js';
import { type ListSpec, readPage } from '../shared/list-query.js';
import { limitOf, PageDto } from '../shared/page.dto.js';

const KINDS = ['missing', 'unknown', 'amount', 'currency', 'duplicate', 'fee', 'late'] as const;

/** Which exceptions to list, the last found first. */
class ExceptionFilter extends PageDto {
  @OneOf(['open', 'closed'])
  state?: 'open' | 'closed';

  @OneOf(KINDS)
  kind?: (typeof KINDS)[number];

  @IdFilter()
  platformId?: string;

  @IdFilter()
  accountId?: string;

  @IdFilter()
  payoutId?: string;

  @IdFilter()
  paymentId?: string;

  @IdFilter('The exception itself.')
  id?: string;
}

/** What our ledger and a payout of the provider's do not agree on. */
class ExceptionItem {
  @ApiProperty()
  id!: string;

  @ApiProperty({ enum: KINDS })
  kind!: string;

  @ApiProperty()
  accountId!: string;

  @ApiProperty()
  platformId!: string;

  @ApiProperty()
  merchantId!: string;

  @ApiProperty({ enum: ['payment', 'refund', 'dispute', 'dispute_reversal', 'payout'] })
  lineKind!: string;

  @ApiProperty({ description: "The provider's." })
  objectId!: string;

  @ApiProperty({ type: String, nullable: true })
  paymentId!: string | null;

  @ApiProperty({ type: String, nullable: true })
  payoutId!: string | null;

  @ApiProperty()
  currency!: string;

  @ApiProperty({ type: 'integer', description: 'In minor units.' })
  amountMinor!: number;

  @ApiProperty({
    type: 'integer', nullable: true,
    description: 'What the provider holds of the account now by our ledger, in minor units: below ' +
      'zero nothing is paid out. Null where nothing is booked.',
  })
  balanceMinor!: number | null;

  @ApiProperty({ description: 'What our record says.' })
  expected!: string;

  @ApiProperty({ description: "What the provider's says." })
  observed!: string;

  @ApiProperty({ format: 'date', description: 'The day of the fact.' })
  since!: string;

  @ApiProperty({ format: 'date-time' })
  foundAt!: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  closedAt!: string | null;

  @ApiProperty({ type: String, nullable: true, description: '`facts`, or who closed it.' })
  closedBy!: string | null;

  @ApiProperty({ type: String, nullable: true })
  closeReason!: string | null;
}

class ExceptionPage {
  @ApiProperty({ type: ExceptionItem, isArray: true })
  items!: readonly ExceptionItem[];

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page.' })
  nextCursor!: string | null;
}

const EXCEPTIONS: ListSpec = {
  from: 'reconciliation_exceptions',
  select: `exception_id AS id, kind, account_id AS "accountId", platform_id AS "platformId",
    merchant_id AS "merchantId", line_kind AS "lineKind", object_id AS "objectId",
    payment_id AS "paymentId", payout_id AS "payoutId", currency,
    amount_minor::float8 AS "amountMinor", expected, observed, since::text,
    (SELECT b.provider_minor::float8 FROM ledger_balances b
      WHERE b.platform_id = reconciliation_exceptions.platform_id
        AND b.account_id = reconciliation_exceptions.account_id
        AND b.currency = reconciliation_exceptions.currency) AS "balanceMinor",
    found_at AS "foundAt", closed_at AS "closedAt", closed_by AS "closedBy",
    close_reason AS "closeReason"`,
  at: 'found_at',
  id: 'exception_id',
  filters: {
    state: { open: 'closed_at IS NULL', closed: 'closed_at IS NOT NULL' }, kind: 'kind = ?', platformId: 'platform_id = ?',
    accountId: 'account_id = ?', payoutId: 'payout_id = ?', paymentId: 'payment_id = ?',
    id: 'exception_id = ?',
  },
};

@ApiTags('Reconciliation')
@Controller('v1/exceptions')
export class ExceptionsController {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  @Get()
  @Allow('viewer')
  @ApiOperation({
    summary: 'Exceptions of the reconciliation, the last found first', operationId: 'listExceptions',
  })
  @Answers({ status: 200, type: ExceptionPage, description: 'A page of exceptions.' }, 422)
  list(@Query() filter: ExceptionFilter): Promise<ExceptionPage> {
    const { cursor } = filter;
    return readPage(this.pool, EXCEPTIONS, { filters: filter, cursor, limit: limitOf(filter) });
  }
}
