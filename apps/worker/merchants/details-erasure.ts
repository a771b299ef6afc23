import type { EventStore } from '#event-store';
import { ERASE_DETAILS_DEADLINE, type MerchantDetails } from '#onboarding';
import type { DeadlineHandler } from '../deadlines/deadline.js';

/** Erases the details of a merchant once the commit that ends their use is durable. */
export const detailsErasure = (
  store: EventStore, details: Pick<MerchantDetails, 'erase'>,
): DeadlineHandler => ({
  kinds: [ERASE_DETAILS_DEADLINE],
  handle: async (deadline) => {
    const { kind, key: merchantId, dueAt } = deadline;
    await details.erase(merchantId);
    const metadata = {
      correlationId: merchantId, causationId: `${kind} ${dueAt}`, actor: 'clock',
      traceparent: null,
    };
    await store.step(metadata, (step) => step.fired(deadline));
  },
});
