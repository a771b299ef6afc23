import { applyDecorators, Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { fileQueryOf, filterField, queryOf, sendFile } from '#lists';
import {
  LedgerAccountList,
  type LedgerAccountKey,
  ledgerAccountKeyOf,
  LedgerAccountPage,
  type LedgerAccountsQuery,
  LedgerEntry,
  LedgerReads,
} from '#ledger';
import { ledgerBalances, ledgerEntries } from '#payout';
import { Allow, CurrentCaller } from '../auth/authenticate.js';
import type { Caller } from '../auth/key-verifier.js';
import { Answers } from '../shared/docs.js';
import { ledgerAccountIdPipe } from '../shared/id.pipe.js';
import { FORMATS, PAGING } from '../shared/list-controllers.js';
import { noSuch, Tenancy } from '../shared/tenancy.js';

/** The list of ledger entries, whose columns are the same for every ledger account. */
const ENTRIES = ledgerEntries('payer');
class EntriesQuery extends queryOf(ENTRIES, PAGING) {}
class EntriesFileQuery extends fileQueryOf(ENTRIES, FORMATS) {}

const BALANCES_PAGING = {
  most: PAGING.most,
  means:
    'The number of pairs of provider account and currency on a page; each has six accounts, which ' +
    'are always on one page. Without `limit`, all accounts are on one page.',
};

const BEFORE = 'The balances at this time, without what was booked at this time or later.';

class BalancesQuery
  extends queryOf(ledgerBalances(), BALANCES_PAGING)
  implements Pick<LedgerAccountsQuery, 'at'>
{
  @applyDecorators(...filterField({ is: 'instant', means: BEFORE }))
  at?: string;

  @applyDecorators(...filterField({ is: 'id', means: 'Only accounts of this merchant.' }))
  merchantId?: string;
}

@ApiTags('Ledger')
@Controller('v1/ledger/accounts')
export class LedgerController {
  constructor(
    private readonly ledger: LedgerReads,
    private readonly tenancy: Tenancy,
  ) {}

  @Get()
  @Allow('payouts:read')
  @ApiOperation({
    summary: 'List the accounts of the ledger, with their balances now or earlier',
    description: 'Sorted by provider account and currency.',
  })
  @Answers(
    { type: LedgerAccountList, description: 'The accounts with their balances.' },
    'merchant_not_found',
    'validation_failed',
  )
  async listLedgerAccounts(
    @Query() { merchantId, ...query }: BalancesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<LedgerAccountList> {
    const { mode = null } = query as LedgerAccountsQuery;
    const accountIds =
      merchantId === undefined
        ? undefined
        : await this.tenancy.accountIdsOf(caller, merchantId, mode);
    return this.ledger.accounts({ platformId: caller.platformId, accountIds }, query);
  }

  /**
   * Throws `Rejection('ledger_account_not_found')` if the account is unknown or belongs to another
   * platform.
   */
  private async keyOf(caller: Caller, id: string): Promise<LedgerAccountKey> {
    const key = ledgerAccountKeyOf(id);
    if (key === null) throw noSuch('ledger_account');
    await this.tenancy.account(caller, key.providerAccountId, 'ledger_account');
    return key;
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
  async getLedgerAccount(
    @Param('id', ledgerAccountIdPipe) id: string,
    @Query() query: EntriesQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<LedgerAccountPage> {
    const key = await this.keyOf(caller, id);
    return this.ledger.page(caller.platformId, key, query, PAGING.usual);
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
    const entries = await this.ledger.entries(await this.keyOf(caller, id));
    await sendFile(reply, format, ENTRIES, entries, id);
  }
}
