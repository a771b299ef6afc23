import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { type FastifyReply } from 'fastify';
import { fileQueryOf, INSTANT, queryOf, sendFile } from '#lists';
import { ledgerEntries } from '#payout';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { ledgerAccountIdPipe } from '../shared/id.pipe.js';
import { FORMATS, PAGING } from '../shared/list-controllers.js';
import { LedgerAccountList, LedgerAccountPage, LedgerEntry } from './ledger-answer.js';
import { LedgerReads } from './ledger-reads.js';

/** The entry fields, which are the same for all ledger accounts. */
const ENTRIES = ledgerEntries('payer');
class EntriesQuery extends queryOf(ENTRIES, PAGING) {}
class EntriesFileQuery extends fileQueryOf(ENTRIES, FORMATS) {}

class BalancesQuery {
  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'The balances at this time, without what was booked at this time or later.',
    example: '2026-04-01T00:00:00Z',
  })
  @IsOptional()
  @INSTANT
  at?: string;
}

@ApiTags('Ledger')
@Controller('v1/ledger/accounts')
export class LedgerController {
  constructor(private readonly ledger: LedgerReads) {}

  @Get()
  @Allow('payouts:read')
  @ApiOperation({ summary: 'List the accounts of the ledger, with their balances now or earlier' })
  @Answers(
    { type: LedgerAccountList, description: 'All accounts with their balances.' },
    'validation_failed',
  )
  async listLedgerAccounts(
    @Query() { at }: BalancesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<LedgerAccountList> {
    return { items: await this.ledger.accounts(caller, at) };
  }

  @Get(':id')
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'Read an account of the ledger',
    description: 'The account’s balance, and the entries that add up to it, newest first.',
  })
  @Answers(
    {
      type: LedgerAccountPage,
      description: 'The account, with a page of its entries.',
    },
    'ledger_account_not_found',
    'validation_failed',
  )
  getLedgerAccount(
    @Param('id', ledgerAccountIdPipe) id: string,
    @Query() query: EntriesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<LedgerAccountPage> {
    return this.ledger.page(caller, id, query);
  }

  @Get(':id/export')
  @Allow('payouts:read')
  @ApiOperation({ summary: 'Download all entries of an account' })
  @Answers(
    { rows: LedgerEntry, description: 'CSV with a header row, or a JSON array.' },
    'ledger_account_not_found',
    'validation_failed',
  )
  async exportLedgerAccount(
    @Param('id', ledgerAccountIdPipe) id: string,
    @Query() { format }: EntriesFileQuery,
    @CurrentCaller() caller: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await sendFile(reply, format, ENTRIES, await this.ledger.entries(caller, id), id);
  }
}
