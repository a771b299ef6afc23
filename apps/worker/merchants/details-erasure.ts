import { type EventStore, untraced } from '#log';
import type { JobKind } from '#jobs';
import { ERASE_DETAILS_DEADLINE, type MerchantDetails } from '#onboarding';

/**
 * Erases the stored details of a merchant as soon as a committed event has made them unnecessary.
 */
export const detailsErasure = (
  store: EventStore,
  details: Pick<MerchantDetails, 'erase'>,
): JobKind => ({
  kind: ERASE_DETAILS_DEADLINE,
  lane: 'timers',
  run: async (job) => {
    const { kind, key: merchantId, dueAt } = job;
    await details.erase(merchantId);
    const metadata = untraced(merchantId, `${kind} ${dueAt}`, 'clock');
    await store.step(metadata, (step) => step.endJob(job));
  },
});
