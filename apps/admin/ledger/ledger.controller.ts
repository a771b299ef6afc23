import { applyDecorators, Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOperation, ApiTags, PickType } from '@nestjs/swagger';
import { Pool } from 'pg';
import { accountIdsOf, LedgerAccountList, LedgerReads, TrialBalance } from '#ledger';
import { filterField, queryOf } from '#lists';
import { ledgerBalances } from '#payout';
import type { AccountMode } from '#psp';
import { Allow } from '../access/allow.js';
import { PAGING } from '../lists/list-controllers.js';
import { type ChosenMode, modeFilter, usualModeOf } from '../lists/mode.js';
import { Answers } from '../shared/docs.js';

const BEFORE = 'The balances at this time, without what was booked at this time or later.';

/** The query parameters that select balances. */
interface Chosen {
  readonly at?: string | undefined;
  readonly mode?: ChosenMode | undefined;
  readonly platformId?: string | undefined;
  readonly merchantId?: string | undefined;
}

const { filters, ...BALANCES } = ledgerBalances();
const LIST = { ...BALANCES, filters: { ...filters, mode: modeFilter() } };

class LedgerAccountsDto extends queryOf(LIST, PAGING) implements Chosen {
  @applyDecorators(...filterField({ is: 'instant', means: BEFORE }))
  at?: string;

  @applyDecorators(...filterField({ is: 'id', means: 'Only accounts of this platform.' }))
  platformId?: string;

  @applyDecorators(
    ...filterField({
      is: 'id',
      means:
        'Only accounts of this merchant; with `platformId` if several platforms have a merchant of this id.',
    }),
  )
  merchantId?: string;
}

class TrialBalanceDto
  extends PickType(LedgerAccountsDto, ['at', 'platformId', 'merchantId'])
  implements Chosen
{
  @applyDecorators(...filterField(modeFilter()))
  mode?: ChosenMode;
}

@ApiTags('Ledger')
@Controller('v1/ledger')
export class LedgerController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly ledger: LedgerReads,
  ) {}

  @Get('accounts')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'The accounts of the ledger, with their balances now or earlier',
    operationId: 'listLedgerAccounts',
  })
  @Answers({ type: LedgerAccountList, description: 'The accounts with their balances.' }, 422)
  async accounts(
    @Query() { platformId, merchantId, ...query }: LedgerAccountsDto,
  ): Promise<LedgerAccountList> {
    const mode = await this.modeOf(query);
    const of = await this.scopeOf({ platformId, merchantId }, mode);
    const limit = query.limit ?? PAGING.usual;
    return this.ledger.accounts(of, { ...query, ...(mode !== undefined && { mode }), limit });
  }

  @Get('trial-balance')
  @Allow('viewer', { narrowed: true })
  @ApiOperation({
    summary: 'The balances of the ledger by currency, which sum to zero',
    operationId: 'getTrialBalance',
  })
  @Answers({ type: TrialBalance, description: 'The balances, now or earlier.' }, 422)
  async trialBalance(@Query() query: TrialBalanceDto): Promise<TrialBalance> {
    const { at } = query;
    const mode = await this.modeOf(query);
    return this.ledger.trialBalance(await this.scopeOf(query, mode), {
      ...(at !== undefined && { at }),
      ...(mode !== undefined && { mode }),
    });
  }

  private async modeOf({ mode }: Chosen): Promise<AccountMode | undefined> {
    return mode === 'usual' ? usualModeOf(this.pool) : mode;
  }

  private async scopeOf({ merchantId, ...of }: Chosen, mode: AccountMode | undefined) {
    const platformId = of.platformId ?? null;
    const accountIds =
      merchantId === undefined
        ? undefined
        : await accountIdsOf(this.pool, { platformId, merchantId, mode: mode ?? null });
    return { platformId, accountIds };
  }
}
