import { applyDecorators, Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { Rejection } from '#kernel';
import {
  accountIdsOf,
  ofStatement,
  StatementAnswer,
  type StatementKey,
  type StatementOf,
  StatementReads,
} from '#ledger';
import { fileQueryOf, filterField, itemOf, type Page, pageOf, queryOf, sendFile } from '#lists';
import { recordAudit } from '#operations';
import { STATEMENT_LINES } from '#payout';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { type Acting, Allow, CurrentUser } from '../access/allow.js';
import { PAGING } from '../lists/list-controllers.js';
import { Answers } from '../shared/docs.js';

const PLATFORM = filterField({
  is: 'id',
  means: 'The platform of the merchant, if several platforms have a merchant with this id.',
});

const LIVE_FIRST = ['live', 'test'] as const;

/** The query parameters that select a statement. */
interface StatementQuery extends Pick<StatementKey, 'merchantId' | 'month'> {
  readonly mode?: AccountMode;
  readonly platformId?: string | null;
}

type Constructor<Base> = new (...args: never[]) => Base;

/** Adds the query parameters that identify a statement of any platform. */
const ofAnyPlatform = <Base extends object>(Other: Constructor<Base>) => {
  class AnyPlatformQuery extends (ofStatement(Other) as Constructor<object>) {
    @applyDecorators(...PLATFORM)
    platformId?: string;

    @ApiPropertyOptional({
      enum: ACCOUNT_MODES,
      description: 'The mode of the provider accounts; default: live if there is a live account.',
    })
    @IsOptional()
    mode?: AccountMode;
  }
  return AnyPlatformQuery as Constructor<Base & StatementQuery>;
};

class StatementDto extends ofAnyPlatform(Object) {}
class LinesDto extends ofAnyPlatform(queryOf(STATEMENT_LINES, PAGING)) {}
class FileDto extends ofAnyPlatform(fileQueryOf(STATEMENT_LINES)) {}

@ApiTags('Ledger')
@Controller('v1/statements')
export class StatementsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly statements: StatementReads,
  ) {}

  @Get()
  @Allow('viewer', { narrowed: true })
  @ApiOperation({ summary: 'The statement of a merchant for a month', operationId: 'getStatement' })
  @Answers({ type: StatementAnswer, description: 'The statement.' }, 404, 422)
  async read(@Query() query: StatementDto): Promise<StatementAnswer> {
    return this.statements.read(await this.of(query));
  }

  @Get('lines')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'The lines of a statement, oldest first',
    operationId: 'listStatementLines',
  })
  @Answers(
    { type: pageOf(STATEMENT_LINES, itemOf(STATEMENT_LINES)), description: 'A page of the lines.' },
    404,
    422,
  )
  async lines(@Query() query: LinesDto): Promise<Page> {
    return this.statements.lines(await this.of(query), query, PAGING.usual);
  }

  @Get('lines.csv')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'All lines of a statement with its balances and totals, as CSV',
    operationId: 'exportStatementCsv',
  })
  @Answers({ mediaTypes: ['text/csv'], description: 'The statement.' }, 404, 422)
  async file(
    @Query() query: FileDto,
    @CurrentUser() by: Acting,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const of = await this.of(query);
    const rows = await this.statements.file(of, query);
    await recordAudit(this.pool, by, {
      action: 'statements.exported',
      subject: { type: 'merchant', id: of.merchantId },
      detail: { month: of.month, mode: of.mode },
    });
    await sendFile(reply, 'csv', STATEMENT_LINES, rows, `${of.merchantId}-${of.month}`);
  }

  /**
   * Throws `Rejection('merchant_not_found')` if the merchant has no accounts in the mode.
   */
  private async of({
    platformId = null,
    merchantId,
    month,
    ...asked
  }: StatementQuery): Promise<StatementOf> {
    for (const mode of asked.mode === undefined ? LIVE_FIRST : [asked.mode]) {
      const accountIds = await accountIdsOf(this.pool, { platformId, merchantId, mode });
      if (accountIds.length === 0) continue;
      return { platformId, accountIds, merchantId, mode, month };
    }
    throw new Rejection('merchant_not_found', 'the merchant has no account in this mode');
  }
}
