import { randomInt } from 'node:crypto';
import { CARDS } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { orderIs, tryCard } from './pay.js';
import { newReference } from './story.js';
import type { StoryParts } from './telling.js';

/** What becomes of an order. `held`: authorized and not captured; `left`: nobody comes to pay. */
type Fate = 'paid' | 'refunded' | 'held' | 'refused' | 'left' | 'canceled';

const PART_OF_DAY = 'PT2H';
/** Little beside what comes in: a merchant who owes more than the day brings has no payout. */
const REFUND_MINOR = 500;

/** Through a day and a night, in parts of two hours: the day's cut-off is among them. */
const DAY: readonly (readonly Fate[])[] = [
  ['paid'], ['paid', 'refused'], ['paid', 'refunded'], ['paid', 'paid', 'canceled'],
  ['paid', 'held', 'left'], ['paid', 'paid', 'refunded', 'refused'], ['paid', 'paid', 'left'],
  ['paid', 'canceled'], ['paid', 'left'], ['paid'], ['paid', 'refunded'], ['paid', 'paid', 'held'],
];

const PRODUCTS = ['A lamp', 'Two bulbs', 'Linden honey', 'A wool blanket', 'A teapot', 'Six glasses'];

class Shop {
  private readonly toRefund: string[] = [];

  constructor(private readonly platform: Platform) {}

  async order(fate: Fate): Promise<void> {
    const amountMinor = randomInt(2_500, 18_000);
    const { body } = await this.platform.place({
      reference: newReference(), amountMinor,
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
    if (fate === 'refunded') this.toRefund.push(orderId);
  }

  /** Once the captures have left: before, nothing is there to be given back. */
  async giveBack(): Promise<void> {
    for (const orderId of this.toRefund) {
      await this.platform.refund(orderId, { amountMinor: REFUND_MINOR });
    }
  }
}

/**
 * A day of orders with all kinds of ends, so that console and topics have something to show; and what
 * an earlier run left the merchant to owe, for its dispute, is covered.
 */
export const liveADay = async (
  { apiUrl, apiKey, merchantId, sandboxUrl }: StoryParts,
): Promise<void> => {
  const shop = new Shop(new Platform([apiUrl], apiKey, merchantId));
  const sandbox = new Sandbox(sandboxUrl, '');
  for (const fates of DAY) {
    await Promise.all(fates.map((fate) => shop.order(fate)));
    await sandbox.advance(PART_OF_DAY);
  }
  await shop.giveBack();
};
