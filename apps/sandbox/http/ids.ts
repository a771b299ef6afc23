import { type ApiError, invalid, notFound } from './api-error.js';

/** Every resource that has an id, as messages call it. */
const RESOURCES = {
  addr: 'Address',
  cust: 'Customer',
  card: 'Card',
  sepa: 'SEPA',
  mndt: 'Mandate',
  pi: 'Payment intent',
  paym: 'Payment',
  refd: 'Refund',
  dspt: 'Dispute',
  pout: 'Payout',
  prod: 'Product',
  price: 'Price',
  sub: 'Subscription',
  we: 'Webhook endpoint',
  evt: 'Event',
} as const;

export type IdPrefix = keyof typeof RESOURCES;

export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[a-zA-Z0-9]{24}$`;

const patterns = Object.fromEntries(
  (Object.keys(RESOURCES) as IdPrefix[]).map((prefix) => [prefix, new RegExp(idPattern(prefix))]),
) as Readonly<Record<IdPrefix, RegExp>>;

export const isId = (prefix: IdPrefix, text: string): boolean => patterns[prefix].test(text);

/** The id of a path; throws `ApiError` 422 when it does not have the pattern of its resource. */
export const pathId = (prefix: IdPrefix, text: string): string => {
  if (isId(prefix, text)) return text;
  throw invalid({
    loc: ['path', 'id'],
    msg: `Input should match pattern '${idPattern(prefix)}'`,
    type: 'string_pattern_mismatch',
  });
};

/** The 404 of a resource. */
export const noSuch = (prefix: IdPrefix, id: string): ApiError => notFound(RESOURCES[prefix], id);

/** The row that was looked for; throws `ApiError` 404 where there is none, or a deleted one. */
export const present = <R extends { readonly deleted_at?: string | null }>(
  prefix: IdPrefix,
  id: string,
  row: R | null,
): R => {
  if (row === null || (row.deleted_at ?? null) !== null) throw noSuch(prefix, id);
  return row;
};
