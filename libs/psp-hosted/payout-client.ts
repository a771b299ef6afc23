import { assert } from '#kernel';
import type {
  ListedDispute,
  ListedPayment,
  ListedRefund,
  ListPage,
  Page,
  PayoutFacts,
  Payouts,
} from '#psp';
import { listedDisputeOf, listedPaymentOf, listedRefundOf } from './payment-facts.js';
import {
  decodeDispute,
  decodeDisputeLine,
  decodeList,
  decodePayment,
  decodeRefund,
} from './payment-wire.js';
import { decodePayout, type WirePayout } from './payout-wire.js';
import type { ProviderTransport } from './provider-transport.js';
import { payoutStatus } from './statuses.js';
import { isIdOf, MalformedWire } from './wire-decode.js';

/** The maximum number of items on a page. */
const PAGE_LIMIT = 100;

const totalsOf = ({
  card,
  sepa,
}: WirePayout['payments']['method']): PayoutFacts['totals']['payment'] => ({
  card: { count: card.count, amountMinor: card.amount, feesMinor: card.fees },
  sepa: { count: sepa.count, amountMinor: sepa.amount, feesMinor: sepa.fees },
});

const payoutOf = (wire: WirePayout): PayoutFacts => ({
  payoutId: wire.id,
  status: payoutStatus(wire.status),
  reference: wire.reference,
  currency: wire.currency,
  amountMinor: wire.amount,
  feesMinor: wire.fees,
  feesVatMinor: wire.fees_vat,
  date: wire.date,
  bankDate: wire.date_bank,
  totals: {
    payment: totalsOf(wire.payments.method),
    refund: totalsOf(wire.refunds.method),
    dispute: totalsOf(wire.disputes.method),
  },
});

const payout = (value: unknown): PayoutFacts => payoutOf(decodePayout(value));
const payment = (value: unknown): ListedPayment => listedPaymentOf(decodePayment(value));

const listedPayouts = decodeList('payouts', payout);
const listedPayments = decodeList('payments', payment);
const listedRefunds = decodeList('refunds', (value) => listedRefundOf(decodeRefund(value)));
const listedDisputes = decodeList('disputes', (value) => listedDisputeOf(decodeDispute(value)));
const disputeLines = decodeList('disputes', (value) => listedDisputeOf(decodeDisputeLine(value)));

/**
 * The client of the reads for reconciliation, with the key of one provider account: the account's
 * payouts, and its payments, refunds and disputes by creation time
 * (docs/provider/payments-completion.md#conventions). For an empty page that announces more items
 * `MalformedWire` is thrown, and the read counts as unavailable.
 */
export class PayoutClient implements Payouts {
  readonly #transport: Pick<ProviderTransport, 'send'>;
  readonly #apiKey: string;

  constructor(transport: Pick<ProviderTransport, 'send'>, apiKey: string) {
    this.#transport = transport;
    this.#apiKey = apiKey;
  }

  listPayouts({ createdSince: created, start }: ListPage): Promise<Page<PayoutFacts>> {
    return this.#page('/v2/payouts', { created, start }, listedPayouts);
  }

  getPayout(payoutId: string): Promise<PayoutFacts> {
    assert(isIdOf(payoutId, 'pout'), 'invalid payout id: it must begin with `pout_`');
    return this.#one('/v2/payouts/{id}', payoutId, payout, (found) => found.payoutId);
  }

  getPayment(attemptId: string): Promise<ListedPayment> {
    assert(isIdOf(attemptId, 'paym'), 'invalid payment id: it must begin with `paym_`');
    return this.#one('/v2/payments/{id}', attemptId, payment, (found) => found.attemptId);
  }

  payoutPayments(payoutId: string, start: number): Promise<Page<ListedPayment>> {
    return this.#lines('/v2/payouts/{id}/payments', payoutId, start, listedPayments);
  }

  payoutRefunds(payoutId: string, start: number): Promise<Page<ListedRefund>> {
    return this.#lines('/v2/payouts/{id}/refunds', payoutId, start, listedRefunds);
  }

  payoutDisputes(payoutId: string, start: number): Promise<Page<ListedDispute>> {
    return this.#lines('/v2/payouts/{id}/disputes', payoutId, start, disputeLines);
  }

  listPayments({ createdSince: created, start }: ListPage): Promise<Page<ListedPayment>> {
    return this.#page('/v2/payments', { created, start }, listedPayments);
  }

  listRefunds({ createdSince: created, start }: ListPage): Promise<Page<ListedRefund>> {
    return this.#page('/v2/refunds', { created, start }, listedRefunds);
  }

  listDisputes({ createdSince: created, start }: ListPage): Promise<Page<ListedDispute>> {
    return this.#page('/v2/disputes', { created, start }, listedDisputes);
  }

  #one<T>(
    pathTemplate: string,
    id: string,
    decode: (value: unknown) => T,
    idOf: (found: T) => string,
  ): Promise<T> {
    return this.#transport.send(this.#apiKey, { method: 'GET', pathTemplate, id }, (value) => {
      const found = decode(value);
      if (idOf(found) !== id) throw new MalformedWire('id must be the id of the requested object');
      return found;
    });
  }

  #lines<T>(
    pathTemplate: string,
    payoutId: string,
    start: number,
    decode: (value: unknown) => Page<T>,
  ): Promise<Page<T>> {
    assert(isIdOf(payoutId, 'pout'), 'invalid payout id: it must begin with `pout_`');
    return this.#page(pathTemplate, { start }, decode, payoutId);
  }

  #page<T>(
    pathTemplate: string,
    asked: Readonly<Record<string, number>>,
    decode: (value: unknown) => Page<T>,
    id?: string,
  ): Promise<Page<T>> {
    const query = { ...asked, limit: PAGE_LIMIT };
    const of = id === undefined ? {} : { id };
    const request = { method: 'GET', pathTemplate, query, ...of } as const;
    return this.#transport.send(this.#apiKey, request, (value) => {
      const page = decode(value);
      if (page.hasMore && page.items.length === 0) {
        throw new MalformedWire('the list must have an end');
      }
      return page;
    });
  }
}
