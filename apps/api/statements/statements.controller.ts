import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { fileQueryOf, itemOf, type Page, pageOf, queryOf, sendFile } from '#lists';
import {
  ofStatement,
  StatementAnswer,
  type StatementKey,
  type StatementOf,
  StatementReads,
} from '#ledger';
import { STATEMENT_LINES } from '#payout';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { FORMATS, PAGING } from '../shared/list-controllers.js';
import { Tenancy } from '../shared/tenancy.js';

const StatementLine = itemOf(STATEMENT_LINES);

class ReadQuery extends ofStatement(Object) {}
class LinesQuery extends ofStatement(queryOf(STATEMENT_LINES, PAGING)) {}
class LinesFileQuery extends ofStatement(fileQueryOf(STATEMENT_LINES, FORMATS)) {}

@ApiTags('Statements')
@Controller('v1/statements')
export class StatementsController {
  constructor(
    private readonly statements: StatementReads,
    private readonly tenancy: Tenancy,
  ) {}

  @Get()
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'Read the statement of a merchant for a month',
    operationId: 'getStatement',
    description:
      'How the balance that the provider owes the merchant has changed, from the ledger. Booked in the ' +
      'month in which it was recorded, so that the statement of an ended month does not change.',
  })
  @Answers(
    { type: StatementAnswer, description: 'The statement.' },
    'merchant_not_found',
    'validation_failed',
  )
  async read(
    @Query() { merchantId, mode, month }: ReadQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StatementAnswer> {
    return this.statements.read(await this.ofCaller(caller, { merchantId, mode, month }));
  }

  /** Throws `Rejection('merchant_not_found')` if the merchant has no accounts in the mode. */
  private async ofCaller(caller: Caller, key: StatementKey): Promise<StatementOf> {
    const accountIds = await this.tenancy.accountIdsOf(caller, key.merchantId, key.mode);
    return { ...key, platformId: caller.platformId, accountIds };
  }

  @Get('lines')
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'List the lines of a statement, oldest first',
    operationId: 'listStatementLines',
    description: 'The sum of `netMinor` in a currency is `closingMinor` less `openingMinor`.',
  })
  @Answers(
    { type: pageOf(STATEMENT_LINES, StatementLine), description: 'A page of the lines.' },
    'merchant_not_found',
    'validation_failed',
  )
  async lines(
    @Query() { merchantId, mode, month, ...query }: LinesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<Page> {
    const of = await this.ofCaller(caller, { merchantId, mode, month });
    return this.statements.lines(of, query, PAGING.usual);
  }

  @Get('lines/export')
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'Download all lines of a statement',
    operationId: 'exportStatementLines',
    description:
      'CSV also contains rows whose `kind` is `opening` (the opening balance, in `netMinor`), ' +
      '`total_payment` and the like for each kind of line, `total`, and `closing`, for each currency; ' +
      'a filter by `kind` leaves these rows out.',
  })
  @Answers(
    { rows: StatementLine, description: 'CSV with a header row, or a JSON array.' },
    'merchant_not_found',
    'validation_failed',
  )
  async exportLines(
    @Query() { merchantId, mode, month, format, ...query }: LinesFileQuery,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const of = await this.ofCaller(caller, { merchantId, mode, month });
    const { statements } = this;
    const rows =
      format === 'csv' ? await statements.file(of, query) : await statements.all(of, query);
    await sendFile(reply, format, STATEMENT_LINES, rows, `${merchantId}-${month}`);
  }
}
