import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomText } from '#kernel';
import { paymentFeeMinor, vatMinor } from '#payout';

type Json = Readonly<Record<string, unknown>>;

const NOTHING = { amount: 0, count: 0, fees: 0 };
const NO_KIND = { amount: 0, method: { card: NOTHING, sepa: NOTHING } };

export interface LinePayment {
  /** Our payment, which the provider stores as its `order_id`. */
  readonly paymentId: string | null;
  readonly intentId: string;
  readonly amountMinor: number;
  readonly currency?: string;
  /** By how much the charged fee exceeds the published fee. */
  readonly surchargeMinor?: number;
}

/** A refund as a payout lists it. */
export interface RefundLine {
  readonly id: string;
  /** The id of the provider's payment (`paym_…`). */
  readonly payment: string;
  readonly amountMinor: number;
}

/** A dispute as a payout lists it. */
export interface DisputeLine {
  readonly id: string;
  readonly status: string;
  /** The id of the provider's payment (`paym_…`). */
  readonly payment: string;
  readonly amountMinor: number;
  readonly feeMinor: number;
}

/**
 * The payment of a payout line: the given payment with these changes; without a given payment, a
 * payment that is not ours, because it has no `order_id`.
 */
export const some = (
  payment: LinePayment | undefined,
  changes: Partial<LinePayment>,
): LinePayment => ({
  paymentId: null,
  intentId: 'pi_none',
  amountMinor: 1_999,
  ...payment,
  ...changes,
});

/** A payment as the provider shows it. */
export const wirePayment = (payment: LinePayment, status: string, payout: string | null): Json => {
  const { paymentId, intentId, amountMinor, currency = 'eur', surchargeMinor = 0 } = payment;
  return {
    id: `paym_${randomText(24)}`,
    status,
    amount: amountMinor,
    currency,
    created: 1_772_366_400,
    response: '00',
    method: 'card',
    payment_intent: intentId,
    order_id: paymentId,
    unique_id: null,
    fee: paymentFeeMinor('card', amountMinor) + surchargeMinor,
    payout,
  };
};

const keyOf = ({ headers: { authorization = '' } }: IncomingMessage): string =>
  Buffer.from(authorization.split(' ')[1] ?? '', 'base64')
    .toString()
    .slice(0, -1);

/**
 * A small provider with payouts over real HTTP; it records each call, and fails when the spec says
 * so.
 */
export class PayoutProvider {
  readonly calls: string[] = [];
  /**
   * The error responses to the next calls, each with a status and a Retry-After time; all further
   * calls succeed.
   */
  readonly failures: { readonly status: number; readonly retryAfterS?: number }[] = [];
  readonly payouts: Json[] = [];
  readonly disputes: Json[] = [];
  readonly refunds: Json[] = [];
  /** The account's list of payments; the payments of a payout are its lines. */
  readonly listed: Json[] = [];
  /** The maximum number of items of a page, however many are requested. */
  pageSize = 100;
  /** The lines of refunds and disputes by the payout that lists them. */
  private readonly deductions = new Map<string, readonly Json[]>();
  private readonly payments = new Map<string, readonly Json[]>();
  /** The API key that lists the payout, by the payout's id; without one, every key lists it. */
  private readonly listedWith = new Map<string, string>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response: ServerResponse) => {
      this.calls.push(request.url ?? '');
      const failure = this.failures.shift();
      const [status, body] =
        failure === undefined
          ? this.answer(new URL(request.url ?? '/', 'http://provider'), keyOf(request))
          : [failure.status, { error: 'not now' }];
      const headers =
        failure?.retryAfterS === undefined ? {} : { 'retry-after': String(failure.retryAfterS) };
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  }

  static async start(): Promise<PayoutProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PayoutProvider(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  count(pattern: RegExp): number {
    return this.calls.filter((url) => pattern.test(url)).length;
  }

  /** Makes a payout of captured card payments; returns its id. */
  pay(payments: readonly LinePayment[], date: string): string {
    const id = `pout_${randomText(24)}`;
    const lines = payments.map((payment) => wirePayment(payment, 'captured', id));
    const amount = lines.reduce((total, line) => total + Number(line['amount']), 0);
    const fees = lines.reduce((total, line) => total + Number(line['fee']), 0);
    const card = { amount, count: lines.length, fees };
    this.payouts.unshift({
      id,
      status: 'pending',
      reference: `${date}-EUR`,
      currency: 'eur',
      date,
      date_bank: null,
      amount: amount - fees - vatMinor(fees),
      fees,
      fees_vat: vatMinor(fees),
      payments: { amount, method: { card, sepa: NOTHING } },
      refunds: NO_KIND,
      disputes: NO_KIND,
    });
    this.payments.set(id, lines);
    return id;
  }

  /** Adds lines of disputes to a payout; a line that returns a won dispute's amount is negative. */
  dispute(payoutId: string, lines: readonly DisputeLine[]): void {
    this.deduct(
      payoutId,
      'disputes',
      lines.map(({ amountMinor: amount, feeMinor: fee, ...line }) => ({
        type: 'chargeback',
        response: '45',
        ...line,
        amount,
        fee,
      })),
    );
  }

  /** Adds lines of executed refunds to a payout. */
  refund(payoutId: string, lines: readonly RefundLine[]): void {
    this.deduct(
      payoutId,
      'refunds',
      lines.map(({ amountMinor: amount, ...line }) => ({
        status: 'refunded',
        ...line,
        amount,
        fee: 0,
      })),
    );
  }

  private deduct(
    payoutId: string,
    of: 'refunds' | 'disputes',
    lines: readonly { readonly amount: number; readonly fee: number }[],
  ): void {
    const payout = this.payouts.find(({ id }) => id === payoutId) as Record<string, unknown>;
    const amount = lines.reduce((total, line) => total + line.amount, 0);
    const fee = lines.reduce((total, line) => total + line.fee, 0);
    const fees = Number(payout['fees']) + fee;
    const vat = vatMinor(fees);
    const more = fee + vat - Number(payout['fees_vat']);
    Object.assign(payout, {
      amount: Number(payout['amount']) - amount - more,
      fees,
      fees_vat: vat,
      [of]: { amount, method: { card: { amount, count: lines.length, fees: fee }, sepa: NOTHING } },
    });
    const common = { created: 1_772_366_400, currency: 'eur', payout: payoutId, order_id: null };
    this.deductions.set(
      `${payoutId} ${of}`,
      lines.map((line) => ({ ...common, ...line })),
    );
  }

  linesOf(payoutId: string): readonly Json[] {
    return this.payments.get(payoutId) ?? [];
  }

  /** Sets the lines that the payout's list shows from now on, whatever the payout's totals are. */
  setLines(payoutId: string, lines: readonly Json[]): void {
    this.payments.set(payoutId, lines);
  }

  /** Lists the payout only with this API key. */
  listOnlyWith(apiKey: string, payoutId: string): void {
    this.listedWith.set(payoutId, apiKey);
  }

  private answer({ pathname, searchParams }: URL, apiKey: string): readonly [number, unknown] {
    const [, , resource, id = '', of] = pathname.split('/');
    const start = Number(searchParams.get('start') ?? 0);
    const since = Number(searchParams.get('created') ?? 0);
    const page = (plural: string, listed: readonly Json[]): readonly [number, unknown] => {
      const all = listed.filter(({ created }) => created === undefined || Number(created) >= since);
      const items = all.slice(start, start + this.pageSize);
      const hasMore = start + items.length < all.length;
      return [
        200,
        {
          [plural]: items,
          range: { start, end: start, limit: 100, count: items.length, has_more: hasMore },
        },
      ];
    };
    if (resource === 'disputes') return page('disputes', this.disputes);
    if (resource === 'refunds') return page('refunds', this.refunds);
    if (resource === 'payments') {
      if (id === '') return page('payments', this.listed);
      const payment = this.listed.find((one) => one['id'] === id);
      return payment === undefined ? [404, { error: 'not found' }] : [200, payment];
    }
    if (resource !== 'payouts') return [404, { error: 'not found' }];
    if (of === 'payments') return page('payments', this.payments.get(id) ?? []);
    if (of !== undefined) return page(of, this.deductions.get(`${id} ${of}`) ?? []);
    if (id === '') {
      const isListed = (one: Json) => (this.listedWith.get(String(one['id'])) ?? apiKey) === apiKey;
      return page('payouts', this.payouts.filter(isListed));
    }
    const payout = this.payouts.find((one) => one['id'] === id);
    return payout === undefined ? [404, { error: 'not found' }] : [200, payout];
  }
}
