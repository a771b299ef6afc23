/** Resource names in paths: the plural, and what else names the same. */
const PLURALS: Readonly<Record<string, string>> = {
  address: 'addresses',
  customer: 'customers',
  card: 'cards',
  sepas: 'sepa',
  mandate: 'mandates',
  payment_intent: 'payment_intents',
  payment: 'payments',
  refund: 'refunds',
  dispute: 'disputes',
  payout: 'payouts',
  product: 'products',
  price: 'prices',
  subscription: 'subscriptions',
  event: 'events',
  webhook: 'webhooks',
  webhook_endpoint: 'webhooks',
  webhook_endpoints: 'webhooks',
};

/**
 * The one address of each route: plural and without a trailing slash, so that both forms of both
 * work. Only addresses of the API are changed.
 */
export const canonicalUrl = (url: string): string => {
  if (!url.startsWith('/v2/')) return url;
  const queryAt = url.indexOf('?');
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  const trimmed = path.length > 4 && path.endsWith('/') ? path.slice(0, -1) : path;
  const nameEnd = trimmed.indexOf('/', 4);
  const name = nameEnd < 0 ? trimmed.slice(4) : trimmed.slice(4, nameEnd);
  const plural = PLURALS[name];
  if (plural === undefined) return trimmed + query;
  return `/v2/${plural}${nameEnd < 0 ? '' : trimmed.slice(nameEnd)}${query}`;
};
