import { waitFor } from '#testing';
import { type OrderView, Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { shipmentIs } from './fulfilment.js';
import { ledgerLines, type LedgerBalance } from './ledger-lines.js';
import { noteIn, type StoryParts, narrateWhile, WAIT } from './narration.js';
import { eventLine, money } from './timeline.js';

/** The maximum number of days until a payout is paid: two bank days, and possibly a weekend. */
const MAX_DAYS = 7;
/** The reason code of a dispute with the test card. */
const DISPUTE_CODE = '4837';

interface Payout {
  readonly id: string;
  readonly providerAccountId: string;
  readonly status: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly reconciliation: {
    readonly matched: number;
    readonly exceptions: Readonly<Record<string, number>>;
  } | null;
}

/** An order's payment at the provider (`attemptId`, `paym_…`), and the payout with this payment. */
interface PaidOut {
  readonly payout: Payout;
  readonly attemptId: string;
}

/** Reads the payouts, disputes and ledger of one merchant through the platform's API. */
class Money {
  constructor(
    private readonly platform: Platform,
    private readonly merchantId: string,
  ) {}

  async payoutOf(paymentId: string): Promise<PaidOut | null> {
    for (const payout of await this.items<Payout>(`/v1/payouts?merchantId=${this.merchantId}`)) {
      const lines = await this.items<{ readonly paymentId: string; readonly providerId: string }>(
        `/v1/payouts/${payout.id}/lines?limit=100`,
      );
      const line = lines.find((one) => one.paymentId === paymentId);
      if (line !== undefined) return { payout, attemptId: line.providerId };
    }
    return null;
  }

  async payout(id: string): Promise<Payout> {
    return (await this.platform.surely('GET', `/v1/payouts/${id}`)).body as unknown as Payout;
  }

  async ledger(providerAccountId: string): Promise<readonly LedgerBalance[]> {
    const all = await this.items<LedgerBalance & { readonly providerAccountId: string }>(
      '/v1/ledger/accounts',
    );
    return all.filter((one) => one.providerAccountId === providerAccountId);
  }

  private async items<T>(path: string): Promise<readonly T[]> {
    return (await this.platform.surely('GET', path)).body['items'] as readonly T[];
  }
}

const disputedMinor = (ledger: readonly LedgerBalance[]): number =>
  ledger.find(({ account }) => account === 'disputes')?.balanceMinor ?? 0;

/**
 * Waits until a payout is paid, and then for a dispute. Prints the ledger with both, and returns
 * the closing line.
 */
class MoneyWalk {
  private readonly money: Money;
  private readonly sandbox: Sandbox;
  private readonly note: (text: string) => void;

  constructor(
    private readonly parts: StoryParts,
    platform: Platform,
  ) {
    this.money = new Money(platform, parts.merchantId);
    this.sandbox = new Sandbox(parts.sandboxUrl, '');
    this.note = noteIn(parts);
  }

  async go({ id: orderId, payment }: OrderView, seen: ReadonlySet<string>): Promise<string> {
    const { say } = this.parts;
    this.note(
      "this morning's payout contains the payment; the clock moves on until the money is at the merchant's bank",
    );
    const { payout, attemptId } = await waitFor(() => this.money.payoutOf(payment?.id ?? ''), WAIT);
    const { amountMinor, currency, providerAccountId } = await this.follow(payout);
    const before = await this.money.ledger(providerAccountId);
    this.note(
      'the payer disputes the payment; the provider sends no webhook for that, so polling its list of disputes finds it',
    );
    await this.sandbox.byHand(attemptId, 'dispute', { code: DISPUTE_CODE });
    await this.sandbox.advance('PT12H');
    await waitFor(() => seen.has('OrderChargedBack'), WAIT);
    await shipmentIs(this.parts, orderId, 'stopped');
    this.note('the fulfilment service has read the dispute from Kafka and stopped the shipment');
    const after = await waitFor(async () => {
      const ledger = await this.money.ledger(providerAccountId);
      return disputedMinor(ledger) > disputedMinor(before) ? ledger : null;
    }, WAIT);
    say();
    for (const line of ledgerLines(after, this.parts.paint.dim)) say(line);
    return `${money(amountMinor, currency)} arrived at the merchant's bank, and the ledger explains every cent`;
  }

  /** Prints each status of the payout until it is paid and its lines are reconciled. */
  private async follow({ id }: Payout): Promise<Payout> {
    let status = '';
    for (let day = 0; day <= MAX_DAYS; day += 1) {
      const payout = await this.money.payout(id);
      if (payout.status !== status) await this.print(payout, `Payout ${payout.status}`);
      ({ status } = payout);
      if (status === 'paid' && payout.reconciliation !== null) {
        const { matched, exceptions } = payout.reconciliation;
        const count = Object.values(exceptions).reduce((sum, one) => sum + one, 0);
        await this.print(payout, `Payout reconciled: ${matched} matched, ${count} breaks`);
        return payout;
      }
      await this.sandbox.advance('P1D');
    }
    throw new Error(`${id} was not paid after ${MAX_DAYS} days: it is ${status}`);
  }

  private async print({ id, amountMinor, currency }: Payout, title: string): Promise<void> {
    const { say, paint } = this.parts;
    say(
      eventLine(
        {
          at: await this.sandbox.now(),
          subjectType: 'payout',
          subjectId: id,
          actor: money(amountMinor, currency),
        },
        title,
        paint.dim,
      ),
    );
  }
}

/**
 * Prints what happens to the money of a captured order. First the payout to the merchant's bank,
 * reconciled line by line; then a dispute, which polling finds; then the ledger with the entries of
 * both. Returns whether all steps succeeded.
 */
export const runMoneyStory = async (parts: StoryParts, orderId: string): Promise<boolean> => {
  const { apiUrl, apiKey, merchantId, sandboxUrl } = parts;
  const platform = new Platform([apiUrl], apiKey, merchantId);
  const order = await platform.read(orderId);
  const since = await new Sandbox(sandboxUrl, '').now();
  const walk = new MoneyWalk(parts, platform);
  return narrateWhile(parts, { path: `/v1/orders/${orderId}/events`, since }, (seen) =>
    walk.go(order, seen),
  );
};
