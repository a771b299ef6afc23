import { Controller, Get } from '@nestjs/common';
import type { Currency, Instant } from '#kernel';
import { SandboxClock } from '../clock/sandbox-clock.js';
import type { AccountScope } from '../storage/account-scope.js';
import { Database } from '../storage/database.js';

/** The accounts of the books; the database view `books` defines the postings. */
const ACCOUNTS = ['payer', 'merchant', 'fees', 'vat', 'disputes', 'payouts'] as const;
type AccountName = (typeof ACCOUNTS)[number];

const SUMS = {
  name: 'books:sums',
  text: `SELECT account_id, live, currency, account, sum(amount)::bigint AS amount FROM books
         GROUP BY account_id, live, currency, account ORDER BY account_id, live, currency`,
};

interface AccountSum extends AccountScope {
  readonly currency: Currency;
  readonly account: AccountName;
  readonly amount: number;
}

/** The balances of one merchant account, mode and currency, in minor units. */
export interface Book {
  readonly account_id: string;
  readonly mode: 'test' | 'live';
  readonly currency: Currency;
  /**
   * `payer`: the payments less refunds, negative. `disputes`: the amounts charged back. `merchant`:
   * the amount owed to the merchant, from which the VAT on fees is deducted when a payout is sent.
   * `payouts`: the amounts transferred. `fees`: the provider's fees. `vat`: the VAT on these fees.
   */
  readonly accounts: Readonly<Record<AccountName, number>>;
  /** Sum of all accounts: always 0. */
  readonly sum: number;
}

const emptyAccounts = (): Record<AccountName, number> => ({
  payer: 0,
  merchant: 0,
  fees: 0,
  vat: 0,
  disputes: 0,
  payouts: 0,
});

const booksOf = (sums: readonly AccountSum[]): Book[] => {
  const books = new Map<
    string,
    Omit<Book, 'sum' | 'accounts'> & {
      readonly accounts: Record<AccountName, number>;
    }
  >();
  for (const { account_id, live, currency, account, amount } of sums) {
    const key = `${account_id} ${live} ${currency}`;
    const mode = live ? 'live' : 'test';
    const book = books.get(key) ?? { account_id, mode, currency, accounts: emptyAccounts() };
    book.accounts[account] = amount;
    books.set(key, book);
  }
  return [...books.values()].map((book) => ({
    ...book,
    sum: Object.values(book.accounts).reduce((total, amount) => total + amount, 0),
  }));
};

/**
 * The sandbox's double-entry books, computed in one snapshot from cleared and paid-out rows, for
 * reconciliation by clients. Needs no API key; exists only where the control routes are enabled.
 * `{"at", "books": [{"account_id", "mode", "currency", "accounts": {…}, "sum": 0}]}`
 */
@Controller('sandbox/books')
export class BooksController {
  constructor(
    private readonly database: Database,
    private readonly clock: SandboxClock,
  ) {}

  @Get()
  async read(): Promise<{ readonly at: Instant; readonly books: readonly Book[] }> {
    const sums = await this.database.query<AccountSum>(SUMS);
    return { at: this.clock.now(), books: booksOf(sums) };
  }
}
