import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsIn, Matches } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { fileQueryOf, itemOf, Lists, type Page, pageOf, queryOf, sendFile } from '#lists';
import { STATEMENT_LINES } from '#payout';
import { OneOf } from '#platform';
import { ACCOUNT_MODES, type AccountMode } from '#psp';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { FORMATS, PAGING } from '../shared/list-controllers.js';
import { StatementAnswer } from './statement-answer.js';
import { type StatementLineRow, withBalances } from './statement-file.js';
import { type StatementKey, StatementReads } from './statement-reads.js';

const StatementLine = itemOf(STATEMENT_LINES);

type Constructor<Base> = new (...args: never[]) => Base;

/** Adds the query parameters that name a statement. */
const ofStatement = <Base extends object>(Other: Constructor<Base>) => {
  class StatementQuery extends (Other as Constructor<object>) implements StatementKey {
    @ApiProperty({ description: 'The merchant whose statement is read.', example: 'merchant-7' })
    @Matches(/^[\w-]{1,64}$/, {
      message: '$property must be 1 to 64 letters, digits, underscores or hyphens',
    })
    merchantId!: string;

    @OneOf(ACCOUNT_MODES, 'The mode of the merchant’s provider accounts.')
    @IsIn(ACCOUNT_MODES)
    mode!: AccountMode;

    @ApiProperty({ description: 'The month, in UTC.', example: '2026-03' })
    @Matches(/^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])$/, {
      message: '$property must be a month such as 2026-03',
    })
    month!: string;
  }
  return StatementQuery as Constructor<Base & StatementKey>;
};

class ReadQuery extends ofStatement(Object) {}
class LinesQuery extends ofStatement(queryOf(STATEMENT_LINES, PAGING)) {}
class LinesFileQuery extends ofStatement(fileQueryOf(STATEMENT_LINES, FORMATS)) {}

@ApiTags('Statements')
@Controller('v1/statements')
export class StatementsController {
  constructor(
    private readonly statements: StatementReads,
    private readonly lists: Lists,
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
  read(
    @Query() { merchantId, mode, month }: ReadQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<StatementAnswer> {
    return this.statements.read(caller, { merchantId, mode, month });
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
    const scope = await this.statements.scopeOf(caller, { merchantId, mode, month });
    return this.lists.page(STATEMENT_LINES, scope, query, PAGING.usual);
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
    const key = { merchantId, mode, month };
    const scope = await this.statements.scopeOf(caller, key);
    const lines = await this.lists.all<StatementLineRow>(STATEMENT_LINES, scope, query);
    const { currency, kind } = query as { readonly currency?: string; readonly kind?: unknown };
    const isWhole = format === 'csv' && kind === undefined;
    const rows = isWhole
      ? withBalances(await this.statements.read(caller, key, currency), lines)
      : lines;
    await sendFile(reply, format, STATEMENT_LINES, rows, `${merchantId}-${month}`);
  }
}
