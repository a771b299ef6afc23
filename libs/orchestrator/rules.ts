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

/**
 * The orchestrator's log: its aggregates, and the sagas that react to them. Every process that
 * takes steps opens its event store with these, so an event means the same wherever it is decided.
 */
export const ORCHESTRATION: LogRules = {
  aggregates: [
    orderAggregate,
    paymentAggregate,
    payoutAggregate,
    merchantAggregate,
    accountAggregate,
  ],
  sagas: [checkoutInStep as Saga, onboardingInStep as Saga],
};

/** How events of earlier schemas are read. */
export const UPCASTERS: Upcasters = upcastersOf(ORCHESTRATION.aggregates);

/** All types of events, of every aggregate. */
export const EVENT_TYPES: readonly string[] = currentTypes(UPCASTERS);

/** The event store of a process that is no Nest application: a command line tool, a test. */
export const openStore = (pool: Pool, clock: Clock): EventStore => {
  const { sagas } = ORCHESTRATION;
  return new EventStore(new PostgresLog(pool), UPCASTERS, { sagas, clock });
};
