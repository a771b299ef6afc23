import { assert } from '#kernel';
import {
  BudgetSpent,
  type Calendar,
  type Capabilities,
  type Pace,
  pauseMsOf,
  type Payouts,
  type ProviderAccount,
  type ProviderAccounts,
  type ProviderBudget,
  type ProviderClient,
  ProviderRateLimited,
} from '#psp';

/** The provider access of one account, for background reads. */
export interface Reader {
  readonly account: ProviderAccount;
  /** The capabilities and the calendar of the account's provider. */
  readonly capabilities: Capabilities;
  readonly calendar: Calendar;
  /**
   * A client whose calls stay within the call budget of the API key; they throw `BudgetSpent` or a
   * `ProviderError`.
   */
  readonly payouts: Payouts;
  /**
   * Returns a client whose calls also stay within the call budget; `pace` decides how a call waits
   * for the budget.
   */
  readonly paced: (pace: Pace) => ProviderClient;
}

/**
 * Limits background reads to the call budget of each API key. A 429 response to any call pauses the
 * reads with that key.
 */
export class BackgroundReads {
  constructor(
    private readonly accounts: ProviderAccounts,
    private readonly budget: ProviderBudget,
    private readonly onCall: (outcome: 'made' | 'held_back') => void = () => {},
  ) {}

  async of(accountId: string): Promise<Reader> {
    const reader = await this.find(accountId);
    assert(reader !== null, `the provider account ${accountId} exists`);
    return reader;
  }

  /** As `of`; null if no account has this id, or its registration is not finished. */
  async find(accountId: string): Promise<Reader | null> {
    const { accounts } = this;
    const account = await accounts.byId(accountId);
    if (account === null) return null;
    const { capabilities, calendar } = accounts.adapterOf(account);
    const within: Pace = (call) => this.within(account.apiKey, call);
    return {
      account,
      capabilities,
      calendar,
      payouts: accounts.clientFor(account, within).payouts,
      paced: (pace) => accounts.clientFor(account, (call) => pace(() => within(call))),
    };
  }

  private async within<T>(apiKey: string, call: () => Promise<T>): Promise<T> {
    const { budget, onCall } = this;
    try {
      await budget.take(apiKey);
    } catch (error) {
      if (error instanceof BudgetSpent) onCall('held_back');
      throw error;
    }
    onCall('made');
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderRateLimited)) throw error;
      throw new BudgetSpent(pauseMsOf(error.retryAfterMs));
    }
  }
}
