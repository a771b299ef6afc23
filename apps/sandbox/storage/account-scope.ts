/**
 * The owner of an object: one merchant account, in one mode. An API key gives access to exactly one
 * scope. Every row of the payment API has a scope.
 */
export interface AccountScope {
  /** `acct_…` of an onboarded company, or `HOUSE_ACCOUNT`. */
  readonly account_id: string;
  readonly live: boolean;
}

/** The sandbox's default account, to which the two keys in the settings give access. */
export const HOUSE_ACCOUNT = 'acct_house';
/**
 * An internal account. It owns the two webhook endpoints, one for each mode, to which
 * SANDBOX_FORWARD_URL forwards the events of every account. No API key gives access to this
 * account.
 */
export const FORWARD_ACCOUNT = 'acct_forward';
export const HOUSE_TEST: AccountScope = { account_id: HOUSE_ACCOUNT, live: false };

/** The scope of a row, without the row's other columns. */
export const scopeOf = ({ account_id, live }: AccountScope): AccountScope => ({ account_id, live });

/** The values of the first two parameters of a statement with `account_id = $1 AND live = $2`. */
export const scopeValues = ({ account_id, live }: AccountScope): readonly [string, boolean] => [
  account_id,
  live,
];

export const isSameScope = (one: AccountScope, other: AccountScope): boolean =>
  one.account_id === other.account_id && one.live === other.live;
