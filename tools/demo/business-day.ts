import { randomInt } from 'node:crypto';
import { waitFor } from '#testing';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { orderIs, tryCard } from './pay.js';
import { leaveAuthorization, whileCapturesFail } from './open-captures.js';
import { leaveSilentMerchant } from './open-merchants.js';
import { newReference } from './story.js';
import { type StoryParts, WAIT } from './narration.js';

/**
 * The planned end of an order. `held`: authorized but not captured. `left`: not paid. `stuck`: the
 * refund request is lost in the network, so that an operator must decide two days later.
 */
type Fate = 'paid' | 'refunded' | 'stuck' | 'held' | 'refused' | 'left' | 'canceled';

const PART_OF_DAY = 'PT3H';
/** The maximum number of three-hour steps for which the demo waits for a capture. */
const MAX_PARTS = 8;
/**
 * The amount of a refund. It is small compared with a day's payments, because a merchant whose
 * balance is negative gets no payout.
 */
const REFUND_MINOR = 500;

/**
 * The orders of 24 hours, with one list for each three hours. The provider's cut-off is within
 * these hours. Orders with a refund are in the first lists, because a payment must be captured
 * before its refund.
 */
type Day = readonly (readonly Fate[])[];

/**
 * The orders of the first day. Their total exceeds the dispute that the merchant may owe from an
 * earlier run, because otherwise there would be no payout.
 */
const FIRST_DAY: Day = [
  ['paid', 'stuck', 'stuck'],
  ['paid', 'refunded'],
  ['paid', 'refused'],
  ['paid', 'canceled'],
  ['paid'],
  ['paid'],
  ['paid'],
  ['paid', 'left'],
];

/** The orders of the last day, which appear on the console's overview. */
const LAST_DAY: Day = [
  ['paid', 'refunded', 'refused'],
  ['paid', 'refunded'],
  ['paid', 'paid', 'held'],
  ['paid', 'paid', 'refused', 'left'],
  ['paid', 'canceled'],
  ['paid', 'paid', 'left'],
  ['paid', 'held'],
  ['paid', 'paid', 'held'],
];

const REFUND = 'POST /v2/payment_intents/{id}/refund';

const PRODUCTS = [
  'A lamp',
  'Two bulbs',
  'Linden honey',
  'A wool blanket',
  'A teapot',
  'Six glasses',
];

class Shop {
  private readonly toRefund: { readonly orderId: string; readonly isLost: boolean }[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly sandbox: Sandbox,
  ) {}

  async order(fate: Fate): Promise<void> {
    const amountMinor = randomInt(2_500, 18_000);
    const { body } = await this.platform.place({
      reference: newReference(),
      amountMinor,
      description: PRODUCTS[randomInt(PRODUCTS.length)] ?? 'A lamp',
      capture: { policy: fate === 'held' ? 'manual' : 'automatic' },
    });
    const orderId = String(body['id']);
    if (fate === 'canceled') await this.platform.cancel(orderId);
    if (fate === 'canceled' || fate === 'left') return;
    const isGood = fate !== 'refused';
    await tryCard(this.platform, orderId, isGood ? CARDS.plain : CARDS.insufficientFunds);
    if (!isGood) return;
    await orderIs(this.platform, orderId, fate === 'held' ? 'authorized' : 'paid');
    if (fate === 'refunded' || fate === 'stuck') {
      this.toRefund.push({ orderId, isLost: fate === 'stuck' });
    }
  }

  /**
   * Requests the planned refunds. Advances the clock first, because a payment whose capture was not
   * sent to clearing yet cannot be refunded.
   */
  async giveBack(): Promise<void> {
    for (const { orderId, isLost } of this.toRefund) {
      if (isLost) await this.sandbox.addFault({ route: REFUND, kind: 'drop_before', count: 1 });
      await this.refund(orderId);
      if (isLost) await waitFor(() => this.sandbox.haveAllFaultsHit(), WAIT);
    }
  }

  private async refund(orderId: string): Promise<void> {
    for (let part = 0; part < MAX_PARTS; part += 1) {
      const { status } = await this.platform.refund(orderId, { amountMinor: REFUND_MINOR });
      if (status === 202) return;
      await this.sandbox.advance(PART_OF_DAY);
    }
    throw new Error(`the order ${orderId} could not be refunded`);
  }
}

/** Runs a day of orders with all final statuses, so that console and topics contain data. */
const live = async (
  { apiUrl, apiKey, merchantId, sandboxUrl }: StoryParts,
  day: Day,
  beforeEnd: (end: () => Promise<void>) => Promise<void> = (end) => end(),
): Promise<void> => {
  const sandbox = new Sandbox(sandboxUrl, '');
  const shop = new Shop(new Platform([apiUrl], apiKey, merchantId), sandbox);
  for (const [part, fates] of day.entries()) {
    await Promise.all(fates.map((fate) => shop.order(fate)));
    if (part < day.length - 1) await sandbox.advance(PART_OF_DAY);
  }
  await beforeEnd(async () => {
    await sandbox.advance(PART_OF_DAY);
    await shop.giveBack();
  });
};

/**
 * Also leaves a merchant whose status no longer changes, so that it counts as silent at the end of
 * the demo's story.
 */
export const runFirstDay = async (parts: StoryParts): Promise<void> => {
  await Promise.all([leaveSilentMerchant(parts), live(parts, FIRST_DAY)]);
};

/**
 * Also leaves a capture whose result is unknown: after the last hours of the day, its next retry is
 * more than an hour away.
 */
export const runLastDay = (parts: StoryParts): Promise<void> =>
  live(parts, LAST_DAY, async (end) => {
    const orderId = await leaveAuthorization(parts, ['vase', 'A blue vase', 5_600]);
    await whileCapturesFail(parts, orderId, end);
  });
