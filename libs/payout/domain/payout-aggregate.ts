import { type Aggregate, NO_FOLLOW_UPS, type Upcaster } from '#kernel';
import type { PayoutCommand } from './payout-command.js';
import { payoutDecider } from './payout-decider.js';
import type { PayoutEvent } from './payout-event.js';
import type { Payout } from './payout.js';

/** The events that this release can read. */
const UPCASTERS: Readonly<Record<PayoutEvent['type'], readonly Upcaster[]>> = {
  PayoutAnnounced: [],
  PayoutMoved: [],
  PayoutLinesRead: [],
  PayoutReconciled: [],
  PayoutMismatchObserved: [],
};

/** A stream is a payout of the provider, under its id (`pout_…`). We ask for nothing of it. */
export const payoutAggregate: Aggregate<Payout, PayoutCommand, PayoutEvent> = {
  streamType: 'payout',
  decider: payoutDecider,
  upcasters: UPCASTERS,
  followUps: () => NO_FOLLOW_UPS,
};
