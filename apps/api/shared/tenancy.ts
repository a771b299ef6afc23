import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { EventStore, type StepBuilder } from '#log';
import { type Folded, Rejection } from '#kernel';
import { accountIdsOf } from '#ledger';
import { type Merchant, merchantAggregate } from '#onboarding';
import { type Order, orderAggregate } from '#order';
import { exists, type Payment, paymentAggregate } from '#payment';
import { type AnnouncedPayout, payoutAggregate } from '#payout';
import { type AccountMode, type ProviderAccount, ProviderAccounts } from '#psp';
import { type Endpoint, endpointAggregate, type KnownEndpoint } from '#webhook';
import type { Caller } from '../auth/key-verifier.js';

export type KnownOrder = Exclude<Order, { status: 'not_placed' }>;
export type KnownPayment = Exclude<Payment, { status: 'none' }>;
export type KnownMerchant = Exclude<Merchant, { status: 'none' }>;

/** The latest payment of an order. */
export interface CurrentPayment {
  readonly id: string;
  readonly state: KnownPayment;
}

/** Reads from a step, so that the events added by the step are included. */
type Reader = Pick<StepBuilder, 'load'>;

/** The types of resources that an id in a path may identify. */
export type Thing =
  | 'order'
  | 'payment'
  | 'merchant'
  | 'payout'
  | 'event'
  | 'exception'
  | 'account'
  | 'webhook_endpoint'
  | 'webhook_delivery'
  | 'ledger_account';

export const noSuch = (thing: Thing): Rejection =>
  new Rejection(`${thing}_not_found`, `there is no such ${thing.replaceAll('_', ' ')}`);

/** Enforces the one tenancy rule: for a platform, a resource of another platform does not exist. */
const mustOwn = (caller: Caller, platformId: string, thing: Thing): void => {
  if (platformId !== caller.platformId) throw noSuch(thing);
};

/**
 * Loads resources by an id in a request. Only this class loads orders, payments, payouts and
 * merchants by such ids. Throws `Rejection` with `order_not_found`, `payment_not_found`,
 * `payout_not_found` or `merchant_not_found`, the same for an unknown id and for an id of another
 * platform.
 */
@Injectable()
export class Tenancy {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: ProviderAccounts,
    @Inject(Pool) private readonly pool: Pool,
  ) {}

  async order(caller: Caller, orderId: string, reader?: Reader): Promise<KnownOrder> {
    return this.ownOrder(caller, await this.stateOf(orderAggregate, orderId, reader));
  }

  /** Like `order`, for an order that has already been read. */
  ownOrder(caller: Caller, order: Order): KnownOrder {
    if (order.status === 'not_placed') throw noSuch('order');
    mustOwn(caller, order.terms.platformId, 'order');
    return order;
  }

  async payment(caller: Caller, paymentId: string, reader?: Reader): Promise<KnownPayment> {
    const payment = await this.stateOf(paymentAggregate, paymentId, reader);
    if (payment.status === 'none') throw noSuch('payment');
    mustOwn(caller, payment.terms.platformId, 'payment');
    return payment;
  }

  /**
   * Like `payment`, but the state may be an older one from this process's cache if that state has
   * an intent. Such a state suffices to check the owner and to read the intent from the provider.
   */
  async recentPayment(caller: Caller, paymentId: string): Promise<KnownPayment> {
    const recent = this.store.cached(paymentAggregate, paymentId)?.state;
    if (recent === undefined || !exists(recent)) return this.payment(caller, paymentId);
    mustOwn(caller, recent.terms.platformId, 'payment');
    return recent;
  }

  async merchant(caller: Caller, merchantId: string, reader?: Reader): Promise<KnownMerchant> {
    const merchant = await this.ownMerchant(caller, merchantId, reader);
    if (merchant !== null) return merchant;
    throw noSuch('merchant');
  }

  /** Like `merchant`, but returns null for an id that no onboarded merchant has. */
  async ownMerchant(
    caller: Caller,
    merchantId: string,
    reader?: Reader,
  ): Promise<KnownMerchant | null> {
    const merchant = await this.stateOf(merchantAggregate, merchantId, reader);
    const isOwn = merchant.status !== 'none' && merchant.terms.platformId === caller.platformId;
    return isOwn ? merchant : null;
  }

  async payout(caller: Caller, payoutId: string): Promise<AnnouncedPayout> {
    const payout = await this.stateOf(payoutAggregate, payoutId);
    if (payout.status === 'none') throw noSuch('payout');
    mustOwn(caller, payout.terms.platformId, 'payout');
    return payout;
  }

  /**
   * Returns a provider account. `thing`: the resource that the error names, e.g. a ledger account
   * of the provider account.
   */
  async account(
    caller: Caller,
    accountId: string,
    thing: 'account' | 'ledger_account' = 'account',
  ): Promise<ProviderAccount> {
    const account = await this.accounts.byId(accountId);
    if (account === null) throw noSuch(thing);
    mustOwn(caller, account.platformId, thing);
    return account;
  }

  /**
   * The ids of a merchant's provider accounts, in one mode or in both. Throws
   * `Rejection('merchant_not_found')` if the merchant has none.
   */
  async accountIdsOf(
    { platformId }: Caller,
    merchantId: string,
    mode: AccountMode | null,
  ): Promise<readonly string[]> {
    const ids = await accountIdsOf(this.pool, { platformId, merchantId, mode });
    if (ids.length === 0) throw noSuch('merchant');
    return ids;
  }

  /** A webhook endpoint, even one that has been deleted. */
  async webhook_endpoint(
    caller: Caller,
    endpointId: string,
    reader?: Reader,
  ): Promise<Exclude<Endpoint, { status: 'none' }>> {
    const endpoint = await this.stateOf(endpointAggregate, endpointId, reader);
    if (endpoint.status === 'none') throw noSuch('webhook_endpoint');
    mustOwn(caller, endpoint.platformId, 'webhook_endpoint');
    return endpoint;
  }

  /** A webhook endpoint that has not been deleted. */
  async liveEndpoint(caller: Caller, endpointId: string, reader?: Reader): Promise<KnownEndpoint> {
    const endpoint = await this.webhook_endpoint(caller, endpointId, reader);
    if (endpoint.status === 'deleted') throw noSuch('webhook_endpoint');
    return endpoint;
  }

  /** An order with its current payment; the payment is null before the order has one. */
  async orderWithPayment(
    caller: Caller,
    orderId: string,
    reader?: Reader,
  ): Promise<{ readonly order: KnownOrder; readonly payment: CurrentPayment | null }> {
    const order = await this.order(caller, orderId, reader);
    const id = order.payments.at(-1);
    if (id === undefined) return { order, payment: null };
    return { order, payment: { id, state: await this.payment(caller, id, reader) } };
  }

  private async stateOf<State>(
    aggregate: Folded<State>,
    id: string,
    reader?: Reader,
  ): Promise<State> {
    return reader?.load(aggregate, id) ?? (await this.store.load(aggregate, id)).state;
  }
}
