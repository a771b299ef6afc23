import { instantFromMs, newId } from '#kernel';
import type { EventStore } from '#log';
import { orderAggregate, type OrderTerms } from '#order';

/** The platform, merchant and provider account of an order, and its reference and amount. */
export type PlacedTerms = Pick<
  OrderTerms,
  'platformId' | 'merchantId' | 'accountId' | 'reference' | 'amountMinor'
>;

/** Places an order in EUR with manual capture; returns its id. */
export const placeOrder = async (store: EventStore, terms: PlacedTerms): Promise<string> => {
  const id = newId('ord');
  await store.execute(
    orderAggregate,
    id,
    {
      type: 'PlaceOrder',
      ...terms,
      currency: 'eur',
      capture: { policy: 'manual' },
      methods: ['card'],
      returnUrl: null,
      description: null,
      metadata: {},
      expiresAt: instantFromMs(Date.now() + 3_600_000),
      at: instantFromMs(Date.now()),
    },
    { correlationId: id, causationId: 'spec', actor: 'platform:shop', traceparent: null },
  );
  return id;
};
