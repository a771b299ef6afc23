import { accountAggregate } from '#account';
import { domainEvent, type RecordedEvent } from '#log';
import { fold, type Folded, Rejection, type StreamType } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { payoutAggregate } from '#payout';
import { endpointAggregate } from '#webhook';

/**
 * Folds a history into a state. The type of the state is `unknown`, because the state is only
 * shown.
 */
type FoldState = (events: readonly RecordedEvent[]) => unknown;

const folding =
  <State>({ decider }: Folded<State>): FoldState =>
  (events) =>
    fold(decider, events.map(domainEvent<never>));

const FOLDS: Readonly<Record<StreamType, FoldState>> = {
  order: folding(orderAggregate),
  payment: folding(paymentAggregate),
  payout: folding(payoutAggregate),
  merchant: folding(merchantAggregate),
  account: folding(accountAggregate),
  webhook_endpoint: folding(endpointAggregate),
};

export const ENTITY_TYPES = Object.keys(FOLDS) as readonly StreamType[];

export interface EntityRef {
  readonly streamType: StreamType;
  readonly streamId: string;
}

const notFound = (): Rejection => new Rejection('entity_not_found', 'not found');

/** Parses the `type` and `id` of a path. Throws `Rejection('entity_not_found')`. */
export const entityRef = (type: string, id: string): EntityRef => {
  const streamType = ENTITY_TYPES.find((one) => one === type);
  if (streamType === undefined || !/^[\w.-]{1,100}$/.test(id)) throw notFound();
  return { streamType, streamId: id };
};

/**
 * Returns the state after these events. Throws `Rejection('entity_not_found')` if there are none.
 */
export const stateAfter = (
  { streamType }: EntityRef,
  events: readonly RecordedEvent[],
): unknown => {
  if (events.length === 0) throw notFound();
  return FOLDS[streamType](events);
};
