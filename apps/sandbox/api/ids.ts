import { type ApiError, invalid, notFound } from './api-error.js';

/**
 * All resources with ids: the name of each in messages, and its names in paths. Routes are declared
 * under the first path name; requests under any of the names, with or without a trailing slash, are
 * routed to the same handlers. This is the specification's "Generic read", tested by
 * `generic-read.spec.ts`.
 */
export const RESOURCES = {
  addr: { name: 'Address', paths: ['addresses', 'address'] },
  cust: { name: 'Customer', paths: ['customers', 'customer'] },
  card: { name: 'Card', paths: ['cards', 'card'] },
  sepa: { name: 'SEPA', paths: ['sepa', 'sepas'] },
  mndt: { name: 'Mandate', paths: ['mandates', 'mandate'] },
  pi: { name: 'Payment intent', paths: ['payment_intents', 'payment_intent'] },
  paym: { name: 'Payment', paths: ['payments', 'payment'] },
  refd: { name: 'Refund', paths: ['refunds', 'refund'] },
  dspt: { name: 'Dispute', paths: ['disputes', 'dispute'] },
  pout: { name: 'Payout', paths: ['payouts', 'payout'] },
  prod: { name: 'Product', paths: ['products', 'product'] },
  price: { name: 'Price', paths: ['prices', 'price'] },
  sub: { name: 'Subscription', paths: ['subscriptions', 'subscription'] },
  we: {
    name: 'Webhook endpoint',
    paths: ['webhooks', 'webhook', 'webhook_endpoint', 'webhook_endpoints'],
  },
  evt: { name: 'Event', paths: ['events', 'event'] },
} as const;

export type IdPrefix = keyof typeof RESOURCES;

export const ID_PREFIXES = Object.keys(RESOURCES) as readonly IdPrefix[];

export const idPattern = (prefix: IdPrefix): string => `^${prefix}_[a-zA-Z0-9]{24}$`;

const patterns = Object.fromEntries(
  ID_PREFIXES.map((prefix) => [prefix, new RegExp(idPattern(prefix))]),
) as Readonly<Record<IdPrefix, RegExp>>;

export const isId = (prefix: IdPrefix, text: string): boolean => patterns[prefix].test(text);

/**
 * Validates the id in a path; throws `ApiError` 422 if the id does not match the pattern of the
 * resource's ids.
 */
export const pathId = (prefix: IdPrefix, text: string): string => {
  if (isId(prefix, text)) return text;
  throw invalid({
    loc: ['path', 'id'],
    msg: `Input should match pattern '${idPattern(prefix)}'`,
    type: 'string_pattern_mismatch',
  });
};

/** The 404 error of a resource. */
export const noSuch = (prefix: IdPrefix, id: string): ApiError =>
  notFound(RESOURCES[prefix].name, id);

/** Returns the row; throws `ApiError` 404 if it is missing or deleted. */
export const present = <R extends { readonly deleted_at?: string | null }>(
  prefix: IdPrefix,
  id: string,
  row: R | null,
): R => {
  if (row === null || (row.deleted_at ?? null) !== null) throw noSuch(prefix, id);
  return row;
};
