import { Inject, Injectable } from '@nestjs/common';
import { type Clock } from '#kernel';
import { type List, type ListQuery, Lists, ofPlatform, type Page, type Paging } from '#lists';
import { CLOCK } from '#platform';
import { ProviderAccounts } from '#psp';
import type { Caller } from '../auth/key-verifier.js';
import { problem } from '../shared/error-codes.js';
import type { AccountAnswer } from './account-answer.js';

/** A request without a limit gets as many accounts as before the list had pages. */
export const ACCOUNT_PAGING: Paging = { usual: 1_000, most: 1_000 };

/** The list of a platform's accounts; `?` of `from` is the present time. */
export const ACCOUNT_LIST: List = {
  name: 'provider-accounts',
  items: 'Accounts',
  item: 'Account',
  from: 'provider_accounts a JOIN account_statuses(?) s ON s.account_id = a.id',
  where: 'a.webhook_endpoint_id IS NOT NULL',
  platform: 'a.platform_id',
  id: 'a.id',
  columns: {
    id: { sql: 'a.id' },
    merchantId: { sql: 'a.merchant_id' },
    mode: { sql: 'a.mode' },
    status: { sql: 's.status' },
    ordersFrom: { sql: 's.orders_from', holds: 'instant' },
    createdAt: { sql: 'a.created_at', holds: 'instant' },
  },
  filters: {
    merchantId: { is: 'id', where: 'a.merchant_id = ?', means: 'Only accounts of this merchant.' },
  },
  sorts: { created: { by: 'a.created_at', of: 'instant' } },
};

type AccountRow = Omit<AccountAnswer, 'webhookUrl'>;

/** Reads the provider accounts of a platform's merchants, without their secrets. */
@Injectable()
export class AccountReads {
  constructor(
    private readonly lists: Lists,
    private readonly accounts: ProviderAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A page of accounts. Throws `Problem` 422 for an invalid cursor. */
  async page({ platformId }: Caller, query: ListQuery): Promise<Page<AccountAnswer>> {
    const scope = ofPlatform(ACCOUNT_LIST, platformId);
    const page = await this.lists.page<AccountRow>(this.now(), scope, query, ACCOUNT_PAGING.usual);
    return { ...page, items: page.items.map((row) => this.answerOf(row)) };
  }

  /** Reads a provider account. Throws `Problem` 404 if it does not belong to the caller. */
  async get({ platformId }: Caller, id: string): Promise<AccountAnswer> {
    const scope = [...ofPlatform(ACCOUNT_LIST, platformId), ['a.id = ?', id]] as const;
    const account = await this.lists.one<AccountRow>(this.now(), scope);
    if (account === null) throw problem('account_not_found');
    return this.answerOf(account);
  }

  /** The list with the statuses of the present time. */
  private now(): List {
    return { ...ACCOUNT_LIST, fromValues: [this.clock.now()] };
  }

  private answerOf(row: AccountRow): AccountAnswer {
    return { ...row, webhookUrl: this.accounts.webhookUrlOf(row.id) };
  }
}
