import type { Pool } from 'pg';
import { type EventStore, untraced } from '#log';
import { type Instant, Rejection } from '#kernel';
import {
  isRegistered,
  type Merchant,
  merchantAggregate,
  type MerchantCommand,
  subjectOfCall,
} from '#onboarding';
import { UnknownCalls } from './unknown-calls.js';

/**
 * The kinds of calls that may be sent again after an operator has resolved that they had no effect.
 */
export const RESOLVED_CALLS = ['create_company', 'order_terminal'] as const;

export interface Resolution {
  readonly merchantId: string;
  readonly call: (typeof RESOLVED_CALLS)[number];
  readonly reason: string;
  /** `user:<id>` or `ops:<hash>`. */
  readonly actor: string;
}

const commandFor = (
  merchant: Merchant,
  { call, merchantId }: Resolution,
  at: Instant,
): MerchantCommand => {
  const isUnknown = merchant.status !== 'none' && merchant.unknown.includes(call);
  if (isUnknown && call === 'create_company') return { type: 'ResolveRegistrationAbsent', at };
  if (isUnknown && isRegistered(merchant) && merchant.terminalOrder) {
    const { requestId } = merchant.terminalOrder;
    return { type: 'ObserveTerminalRejection', requestId, reason: 'resolved-absent', at };
  }
  throw new Rejection('not_unknown', `${merchantId} has no ${call} with an unknown result`);
};

/**
 * Records an operator's decision that a call with an unknown result had no effect at the provider:
 * the search ends, a registration is requested again, and a terminal may be ordered again. @throws
 * Rejection `not_unknown`, `search_in_progress`
 */
export const resolveAbsent = async (
  { pool, store }: { readonly pool: Pool; readonly store: EventStore },
  resolution: Resolution,
  at: Instant,
): Promise<void> => {
  const { merchantId, call, reason, actor } = resolution;
  const { state: merchant } = await store.load(merchantAggregate, merchantId);
  const command = commandFor(merchant, resolution, at);
  // The job of the old call is ended first, because it would block the next call permanently.
  await new UnknownCalls(pool).end(subjectOfCall(merchantId, call), call, `absent: ${reason}`);
  await store.execute(merchantAggregate, merchantId, command, untraced(merchantId, 'ops', actor));
};
