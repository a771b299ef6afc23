import { assert } from '#kernel';
import {
  BudgetSpent, pauseMsOf, type PaymentClient, PayoutClient, type ProviderAccount,
  type ProviderAccounts, type ProviderBudget, ProviderRateLimited, type ProviderTransport,
} from '#psp-hosted';

export interface BackgroundReadsParts {
  readonly accounts: ProviderAccounts;
  readonly transport: ProviderTransport;
  readonly budget: ProviderBudget;
  readonly onCall?: (outcome: 'made' | 'held_back') => void;
}

/** The provider's API for one account, as far as it is read in the background. */
export interface Reader {
  readonly account: ProviderAccount;
  /** One call, within the budget of the key. Throws `BudgetSpent` or a `ProviderError`. */
  readonly payouts: <T>(call: (client: PayoutClient) => Promise<T>) => Promise<T>;
  readonly payments: <T>(call: (client: PaymentClient) => Promise<T>) => Promise<T>;
}

/** Reads that nobody waits for, within the budget of their key, which a 429 to any call blocks. */
export class BackgroundReads {
  constructor(private readonly parts: BackgroundReadsParts) {}

  async of(accountId: string): Promise<Reader> {
    const { accounts, transport } = this.parts;
    const account = await accounts.byId(accountId);
    assert(account !== null, `the provider account ${accountId} exists`);
    const { apiKey } = account;
    const payouts = new PayoutClient(transport, apiKey);
    const payments = accounts.clientFor(account);
    return {
      account,
      payouts: (call) => this.within(apiKey, () => call(payouts)),
      payments: (call) => this.within(apiKey, () => call(payments)),
    };
  }

  private async within<T>(apiKey: string, call: () => Promise<T>): Promise<T> {
    const { budget, onCall } = this.parts;
    try {
      await budget.take(apiKey);
    } catch (error) {
      if (error instanceof BudgetSpent) onCall?.('held_back');
      throw error;
    }
    onCall?.('made');
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderRateLimited)) throw error;
      throw new BudgetSpent(pauseMsOf(error.retryAfterMs));
    }
  }
}
