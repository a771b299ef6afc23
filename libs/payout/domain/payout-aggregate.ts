import { type Aggregate, NO_FOLLOW_UPS, renameFields, type Upcaster } from '#kernel';
import type { PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import type { Payout } from './payout.js';

/** Event types of releases before 0.2.0, with their current names. */
const RENAMED: Readonly<Record<string, PayoutEvent['type']>> = {
  PayoutMoved: 'PayoutStatusChanged',
};

/** The upcasters of older event schemas. */
const UPCASTERS: Readonly<Record<PayoutEvent['type'], readonly Upcaster[]>> = {
  PayoutAnnounced: [],
  PayoutStatusChanged: [renameFields({ dateBank: 'bankDate' })],
  PayoutLinesRead: [],
  PayoutReconciled: [],
  PayoutLineCorrected: [],
  PayoutMismatchObserved: [],
};

/**
 * The aggregate of payouts. Its stream has the provider's id of the payout (`pout_…`). The provider
 * makes payouts, and we only read them.
 */
export const payoutAggregate: Aggregate<Payout, PayoutCommand, PayoutEvent> = {
  streamType: 'payout',
  decider: payoutDecider,
  upcasters: { ...UPCASTERS, ...RENAMED },
  ownerOf: (payout) => (payout.status === 'none' ? null : payout.terms),
  followUps: () => NO_FOLLOW_UPS,
};
