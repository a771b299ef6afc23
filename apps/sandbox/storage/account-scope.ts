/**
 * Whose an object is: one merchant account, in one mode. A key opens exactly one of them, and shows
 * and changes nothing else. Every row of the payment API carries its
 * own.
 */
export interface AccountScope {
  /** `acct_…` of an onboarded company, or `HOUSE_ACCOUNT`. */
  readonly account_id: string;
  readonly live: boolean;
}

/** The account of the two keys that the settings name. */
export const HOUSE_ACCOUNT = 'acct_house';
export const HOUSE_TEST: AccountScope = { account_id: HOUSE_ACCOUNT, live: false };

/** The scope of a row and nothing else of it. */
export const scopeOf = ({ account_id, live }: AccountScope): AccountScope => ({ account_id, live });

/** The parameters of a statement that asks `account_id = $1 AND live = $2`: they come first. */
export const scopeValues = ({ account_id, live }: AccountScope): readonly [string, boolean] => [
  account_id,
  live,
];

export const isSameScope = (one: AccountScope, other: AccountScope): boolean =>
  one.account_id === other.account_id && one.live === other.live;
