import { type AccountScope, scopeValues } from '../../../storage/account-scope.js';
import type { Database } from '../../../storage/database.js';

/**
 * The ids of the objects that match a search text, by the column of `payments` that refers to them.
 */
export type NamedObjects = Readonly<
  Partial<
    Record<'card_id' | 'sepa_id' | 'customer_id' | 'mandate_id' | 'payout_id', readonly string[]>
  >
>;

/** Maximum number of matching objects of one kind; further matches are ignored. */
const MOST = 200;

const IN_SCOPE = 'account_id = $1 AND live = $2';
const ids = (column: string, table: string, condition: string): string =>
  `(SELECT '${column}' AS kind, id FROM ${table} WHERE ${IN_SCOPE} AND ${condition} LIMIT ${MOST})`;

/** Separate queries, so that each can use its own index. */
const BY_LAST_DIGITS = {
  name: 'area:by-last-digits',
  text: [ids('card_id', 'cards', 'last4 = $3'), ids('sepa_id', 'sepa', 'last4 = $3')].join(
    ' UNION ALL ',
  ),
};
const BY_TEXT = {
  name: 'area:by-text',
  text: [
    ids('customer_id', 'customers', 'lower(email) = lower($3)'),
    ids('customer_id', 'customers', 'mobile = $3'),
    ids('customer_id', 'customers', 'lower(external_id) = lower($3)'),
    ids('customer_id', 'customers', 'lower(name) = lower($3)'),
    ids('mandate_id', 'mandates', 'rum = $3'),
    ids('payout_id', 'payouts', 'reference = $3'),
  ].join(' UNION ALL '),
};

/**
 * Finds the objects that match a search text that is not an id: cards and bank accounts by their
 * last four digits; customers by email, telephone number, name or `external_id`; mandates and
 * payouts by their reference.
 */
export const namedObjects = async (
  database: Database,
  scope: AccountScope,
  text: string,
): Promise<NamedObjects> => {
  const statement = /^\d{4}$/.test(text) ? BY_LAST_DIGITS : BY_TEXT;
  const rows = await database.query<{ kind: keyof NamedObjects; id: string }>(statement, [
    ...scopeValues(scope),
    text,
  ]);
  const named: { -readonly [K in keyof NamedObjects]: string[] } = {};
  for (const { kind, id } of rows) (named[kind] ??= []).push(id);
  return named;
};
