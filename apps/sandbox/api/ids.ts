import { type ApiError, invalid, notFound } from './api-error.js';

/**
 * The registry of everything that has an id: how messages call it, and its names in paths, of which
 * the first is the one of its routes. Each area plugs its reader in as the route `GET :id` below
 * that name, with which the specification's "Generic read" of it holds under all its names, with a
 * slash and without; `generic-read.spec.ts` asks for each of them.
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
export const noSuch = (prefix: IdPrefix, id: string): ApiError =>
  notFound(RESOURCES[prefix].name, id);

/** The row that was looked for; throws `ApiError` 404 where there is none, or a deleted one. */
export const present = <R extends { readonly deleted_at?: string | null }>(
  prefix: IdPrefix,
  id: string,
  row: R | null,
): R => {
  if (row === null || (row.deleted_at ?? null) !== null) throw noSuch(prefix, id);
  return row;
};
