import { assert } from '#kernel';
import {
  decodeDispute, decodeDisputeLine, decodeList, decodePayment, decodeRefund, type WireDispute, type WireList,
  type WirePayment, type WireRefund,
} from './payment-wire.js';
import { decodePayout, type WirePayout } from './payout-wire.js';
import type { ProviderTransport } from './provider-transport.js';
import { isIdOf, MalformedWire } from './wire-decode.js';

/** The largest page the API gives. */
const PAGE_LIMIT = 100;

const listedPayouts = decodeList('payouts', decodePayout);
const listedPayments = decodeList('payments', decodePayment);
const listedRefunds = decodeList('refunds', decodeRefund);
const listedDisputes = decodeList('disputes', decodeDispute);
const disputeLines = decodeList('disputes', decodeDisputeLine);

/** Which part of a list is read: what was made at or after `createdSince`, from `start` on. */
export interface ListPage {
  /** Epoch seconds. */
  readonly createdSince: number;
  readonly start: number;
}

/**
 * What money is followed by, with one account's key: its payouts, and its lists by `created`
 * (completion, "Conventions"). A page is one call. Reads only; every method throws a
 * `ProviderError`. A page that ends nowhere is `MalformedWire` and so unavailable.
 */
export class PayoutClient {
  readonly #transport: Pick<ProviderTransport, 'send'>;
  readonly #apiKey: string;

  constructor(transport: Pick<ProviderTransport, 'send'>, apiKey: string) {
    this.#transport = transport;
    this.#apiKey = apiKey;
  }

  listPayouts({ createdSince: created, start }: ListPage): Promise<WireList<WirePayout>> {
    return this.#page('/v2/payouts', { created, start }, listedPayouts);
  }

  getPayout(payoutId: string): Promise<WirePayout> {
    assert(isIdOf(payoutId, 'pout'), 'a payout is read by a pout_ id');
    const request = { method: 'GET', pathTemplate: '/v2/payouts/{id}', id: payoutId } as const;
    return this.#transport.send(this.#apiKey, request, (value) => {
      const payout = decodePayout(value);
      if (payout.id !== payoutId) throw new MalformedWire('id must be the one asked for');
      return payout;
    });
  }

  /** The payments that a payout pays, newest first; each by its latest state. */
  payoutPayments(payoutId: string, start: number): Promise<WireList<WirePayment>> {
    return this.#lines('/v2/payouts/{id}/payments', payoutId, start, listedPayments);
  }

  payoutRefunds(payoutId: string, start: number): Promise<WireList<WireRefund>> {
    return this.#lines('/v2/payouts/{id}/refunds', payoutId, start, listedRefunds);
  }

  payoutDisputes(payoutId: string, start: number): Promise<WireList<WireDispute>> {
    return this.#lines('/v2/payouts/{id}/disputes', payoutId, start, disputeLines);
  }

  listPayments({ createdSince: created, start }: ListPage): Promise<WireList<WirePayment>> {
    return this.#page('/v2/payments', { created, start }, listedPayments);
  }

  listRefunds({ createdSince: created, start }: ListPage): Promise<WireList<WireRefund>> {
    return this.#page('/v2/refunds', { created, start }, listedRefunds);
  }

  listDisputes({ createdSince: created, start }: ListPage): Promise<WireList<WireDispute>> {
    return this.#page('/v2/disputes', { created, start }, listedDisputes);
  }

  #lines<T>(
    pathTemplate: string, payoutId: string, start: number, decode: (value: unknown) => WireList<T>,
  ): Promise<WireList<T>> {
    assert(isIdOf(payoutId, 'pout'), 'a payout is read by a pout_ id');
    return this.#page(pathTemplate, { start }, decode, payoutId);
  }

  #page<T>(
    pathTemplate: string, asked: Readonly<Record<string, number>>,
    decode: (value: unknown) => WireList<T>, id?: string,
  ): Promise<WireList<T>> {
    const query = { ...asked, limit: PAGE_LIMIT };
    const of = id === undefined ? {} : { id };
    const request = { method: 'GET', pathTemplate, query, ...of } as const;
    return this.#transport.send(this.#apiKey, request, (value) => {
      const page = decode(value);
      if (page.hasMore && page.items.length === 0) {
        throw new MalformedWire('range must come to an end');
      }
      return page;
    });
  }
}
