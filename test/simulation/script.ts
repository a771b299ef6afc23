import { type Currency, DAY_MS, HOUR_MS, MINUTE_MS } from '#kernel';
import type { CapturePolicy, PaymentMethod } from '#order';
import type { Random } from '../../tools/chaos/random.js';
import { ACCOUNTS, type SimulatedAccount } from './account.js';
import { REFUSED_AMOUNT_MINOR } from './provider/api.js';
import type { Scenario } from './provider/intent.js';
import type { Lie } from './provider/lies.js';

/** One attempt of the payer on the payment page. */
export interface PayerTry {
  readonly afterMs: number;
  readonly by: 'card' | 'debit';
  /** The response code of the payer's bank; null when the payer leaves before the bank responds. */
  readonly response: string | null;
  readonly atBankMs: number;
}

export interface RefundPlan {
  readonly afterMs: number;
  /** Percent of the amount that has not been refunded; 100 refunds the whole rest. */
  readonly percent: number;
}

/** What payer, platform, merchant and bank do with one order, independently of our code. */
export interface OrderPlan {
  readonly ordinal: number;
  /** The provider account with which the order is paid. */
  readonly accountId: string;
  readonly placedAfterMs: number;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly capture: CapturePolicy;
  readonly methods: readonly PaymentMethod[];
  readonly mandateId: string | null;
  readonly lifetimeMs: number;
  readonly tries: readonly PayerTry[];
  readonly scenario: Scenario;
  readonly reportsPageCompleted: boolean;
  /**
   * When the platform cancels the order: `afterMs` after the order was placed, or after the
   * platform saw the authorization; null if the platform does not cancel.
   */
  readonly cancels: { readonly from: 'placed' | 'authorized'; readonly afterMs: number } | null;
  /**
   * With manual capture, the delay after the authorization with which the platform requests the
   * capture; null if the platform requests no capture, so that the authorization expires.
   */
  readonly capturesAfterMs: number | null;
  readonly refunds: readonly RefundPlan[];
  /**
   * What the merchant does in the provider's User Area. The orchestrator observes it only by
   * polling.
   */
  readonly merchant: 'nothing' | 'cancels' | 'refunds';
  /** The planned false responses about the order's first intent; null if all responses are true. */
  readonly lie: Lie | null;
}

const CARD_REFUSALS = ['51', '05', '57'] as const;

const drawCapture = (random: Random): CapturePolicy =>
  random.pick<() => CapturePolicy>([
    () => ({ policy: 'automatic' }),
    () => ({ policy: 'automatic' }),
    () => ({ policy: 'manual' }),
    () => ({ policy: 'delayed', delayMs: random.int(1, 144) * HOUR_MS }),
  ])();

const drawTries = (random: Random, methods: readonly PaymentMethod[]): readonly PayerTry[] =>
  Array.from({ length: random.pick([0, 1, 1, 1, 1, 2, 3]) }, () => {
    const by =
      methods.includes('sepa') && (methods.length === 1 || random.chance(0.4)) ? 'debit' : 'card';
    const refusal = random.chance(0.25) ? random.pick(CARD_REFUSALS) : '00';
    const leaves = by === 'card' && random.chance(0.1);
    return {
      by,
      response: leaves ? null : refusal,
      afterMs: random.int(1, 30) * MINUTE_MS,
      atBankMs: random.int(1, 300) * 1_000,
    };
  });

const drawDispute = (random: Random): NonNullable<Scenario['disputed']> => ({
  afterMs: random.int(1, 20) * DAY_MS,
  response: random.pick(['45', 'MD06', '4837']),
  ...(random.chance(0.6) && {
    decided: { afterMs: random.int(1, 480) * HOUR_MS, status: random.pick(['won', 'won', 'lost']) },
  }),
});

const drawScenario = (random: Random): Scenario => ({
  returned: random.chance(0.3) ? 'AM04' : null,
  disputed: random.chance(0.2) ? drawDispute(random) : null,
});

const drawRefunds = (random: Random): readonly RefundPlan[] =>
  Array.from({ length: random.pick([0, 0, 1, 1, 2, 3]) }, () => ({
    afterMs: random.int(0, 96) * HOUR_MS,
    percent: random.pick([100, 50, 30, 100]),
  }));

const drawOrder = (random: Random, ordinal: number): OrderPlan => {
  const byMandate = random.chance(0.12);
  const methods = byMandate
    ? (['sepa'] as const)
    : random.pick<readonly PaymentMethod[]>([['card'], ['card'], ['card', 'sepa'], ['sepa']]);
  return {
    ordinal,
    accountId: random.pick<SimulatedAccount>(ACCOUNTS).id,
    methods,
    placedAfterMs: random.int(0, 180) * MINUTE_MS,
    amountMinor: random.chance(0.04) ? REFUSED_AMOUNT_MINOR : random.int(1, 50_000),
    // A SEPA direct debit is possible in euros only.
    currency: methods.includes('sepa') ? 'eur' : random.pick<Currency>(['eur', 'usd']),
    capture: drawCapture(random),
    mandateId: byMandate ? `sepa_${random.pick(['G', 'G', 'R', 'U']).repeat(24)}` : null,
    lifetimeMs: random.pick([30 * MINUTE_MS, 2 * HOUR_MS, DAY_MS, 3 * DAY_MS]),
    tries: byMandate ? [] : drawTries(random, methods),
    scenario: drawScenario(random),
    reportsPageCompleted: random.chance(0.7),
    cancels: random.chance(0.25)
      ? { from: random.pick(['placed', 'authorized']), afterMs: random.int(0, 40) * MINUTE_MS }
      : null,
    capturesAfterMs: random.chance(0.8) ? random.int(1, 150) * HOUR_MS : null,
    refunds: drawRefunds(random),
    merchant: random.pick(['nothing', 'nothing', 'nothing', 'nothing', 'cancels', 'refunds']),
    lie: null,
  };
};

const MOST_ORDERS = 3;

/** Draws the plans of a few orders of different kinds. */
export const drawScript = (random: Random): readonly OrderPlan[] =>
  Array.from({ length: random.int(1, MOST_ORDERS) }, (_, index) => drawOrder(random, index + 1));
