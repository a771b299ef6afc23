import type { Pool } from 'pg';
import { accountAggregate } from '#account';
import {
  currentTypes,
  EventStore,
  type LogRules,
  PostgresLog,
  type Saga,
  type Upcasters,
  upcastersOf,
} from '#log';
import type { Clock } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { orderAggregate } from '#order';
import { paymentAggregate } from '#payment';
import { payoutAggregate } from '#payout';
import { checkoutInStep, onboardingInStep } from '#sagas';
import { endpointAggregate } from '#webhook';

/**
 * The aggregates of the log and the sagas that react to them. Every process that commits steps
 * opens its event store with these, so that an event has the same meaning everywhere.
 */
export const ORCHESTRATION: LogRules = {
  aggregates: [
    orderAggregate,
    paymentAggregate,
    payoutAggregate,
    merchantAggregate,
    accountAggregate,
    endpointAggregate,
  ],
  sagas: [checkoutInStep as Saga, onboardingInStep as Saga],
};

/** The upcasters of the event types of all aggregates. */
export const UPCASTERS: Upcasters = upcastersOf(ORCHESTRATION.aggregates);

/** All event types of all aggregates. */
export const EVENT_TYPES: readonly string[] = currentTypes(UPCASTERS);

/** The event store for processes other than Nest applications: command line tools and tests. */
export const openStore = (pool: Pool, clock: Clock): EventStore => {
  const { sagas } = ORCHESTRATION;
  return new EventStore(new PostgresLog(pool), UPCASTERS, { sagas, clock });
};
