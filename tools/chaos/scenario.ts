import type { Currency } from '#kernel';
import type { WebhookFate } from '../stack/webhook-gate.js';
import { type Random, randomFrom } from './random.js';

/**
 * The payer's behaviour on the payment page. `disputes`: pays, and disputes the payment a day after
 * the capture. `retries`: tries a card that is refused, then a card that is accepted.
 * `interrupted`: approves at the bank, and leaves before the page confirms. `undecided`: leaves
 * while at the bank. `debits`: pays by direct debit. `debit_fails`: enters a bank account with
 * insufficient funds.
 */
export type PayerPlan =
  | 'pays'
  | 'pays_without_3ds'
  | 'disputes'
  | 'retries'
  | 'refused'
  | 'bank_refuses_then_pays'
  | 'interrupted'
  | 'undecided'
  | 'debits'
  | 'debit_fails'
  | 'never_comes';

export interface OrderPlan {
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly method: 'card' | 'sepa';
  readonly capture: { readonly policy: string; readonly delay?: string };
  readonly expiresIn: string;
  readonly payer: PayerPlan;
  /**
   * Whether the platform reports that the payment page has finished. The api then reads the intent
   * immediately.
   */
  readonly reportsPageFinished: boolean;
  /** When the platform cancels the order, whatever the status of the payment. */
  readonly cancels: 'never' | 'at_once' | 'while_paying' | 'after_paying';
  /** Whether the platform requests the capture when the capture policy is `manual`. */
  readonly capturesManually: boolean;
  /** Whether the platform sends the order twice concurrently, under one Idempotency-Key. */
  readonly sendsTwice: boolean;
  /** Whether the merchant cancels the intent directly at the provider before the payer pays. */
  readonly canceledAtProvider: boolean;
}

export const CURRENCIES_OF_RUN: readonly [Currency, ...Currency[]] = ['eur', 'gbp'];

const payerOf = (random: Random): PayerPlan =>
  random.pick<PayerPlan>([
    'pays',
    'pays',
    'pays_without_3ds',
    'pays_without_3ds',
    'disputes',
    'retries',
    'retries',
    'refused',
    'bank_refuses_then_pays',
    'interrupted',
    'interrupted',
    'undecided',
    'debits',
    'debits',
    'debit_fails',
    'never_comes',
  ]);

const DEBITS: ReadonlySet<PayerPlan> = new Set(['debits', 'debit_fails']);

const captureOf = (random: Random): OrderPlan['capture'] => {
  const policy = random.pick(['automatic', 'automatic', 'automatic', 'manual', 'delayed']);
  if (policy !== 'delayed') return { policy };
  return { policy, delay: random.pick(['PT10M', 'PT12H', 'P2D', 'P6D']) };
};

/**
 * Plans the orders of a run. Their references contain the seed, so that two runs on one database
 * never use the same reference.
 */
export const planOrders = (seed: number, count: number): readonly OrderPlan[] => {
  const random = randomFrom(seed, 'orders');
  return Array.from({ length: count }, (_, index) => {
    const payer = payerOf(random);
    const capture = captureOf(random);
    const currency = random.pick(CURRENCIES_OF_RUN);
    const isDebit = DEBITS.has(payer);
    return {
      // The letter separates seed and index, whose digits together may look like a card number.
      reference: `chaos-${seed}-n${index}`,
      idempotencyKey: `chaos-${seed}-key-${index}`,
      amountMinor: random.int(100, 99_999),
      // docs/provider/payments-completion.md#conventions: a debit is in euros.
      currency: isDebit ? 'eur' : currency,
      method: isDebit ? 'sepa' : 'card',
      // A direct debit has no authorization before its capture.
      capture: isDebit ? { policy: 'automatic' } : capture,
      expiresIn: random.pick(['PT10M', 'PT4H', 'PT4H', 'P1D', 'P3D']),
      payer,
      reportsPageFinished: random.chance(0.5),
      cancels: random.pick([
        'never',
        'never',
        'never',
        'never',
        'never',
        'never',
        'at_once',
        'while_paying',
        'after_paying',
      ]),
      capturesManually: random.chance(0.7),
      sendsTwice: random.chance(0.1),
      canceledAtProvider: random.chance(0.06),
    };
  });
};

/** The same orders with other references and keys, so that one database can contain both. */
export const withSuffix = (plans: readonly OrderPlan[], suffix: string): readonly OrderPlan[] =>
  plans.map((plan) => ({
    ...plan,
    reference: `${plan.reference}${suffix}`,
    idempotencyKey: `${plan.idempotencyKey}${suffix}`,
  }));

/** Fields of an order that is captured automatically and never canceled. */
const CAPTURED = {
  capture: { policy: 'automatic' },
  cancels: 'never',
  canceledAtProvider: false,
  expiresIn: 'P1D',
} as const;

const byCard = (payer: PayerPlan, currency: Currency): Partial<OrderPlan> => ({
  ...CAPTURED,
  method: 'card',
  payer,
  currency,
});

/** Orders that each run contains: a dispute, a returned debit, and a refund per currency. */
const CERTAIN: readonly Partial<OrderPlan>[] = [
  byCard('disputes', 'eur'),
  { ...CAPTURED, method: 'sepa', payer: 'debit_fails', currency: 'eur' },
  ...CURRENCIES_OF_RUN.map((currency) => byCard('pays', currency)),
];

/** Plans the orders of a chaos run or of a failover stage: random ones, except the first few. */
export const plansOfRun = (seed: number, count: number): readonly OrderPlan[] =>
  planOrders(seed, count).map((plan, index) => ({ ...plan, ...CERTAIN[index] }));

/** Plans orders that are paid by card and captured immediately; `name` is in their references. */
export const paidPlans = (seed: number, count: number, name: string): readonly OrderPlan[] =>
  withSuffix(planOrders(seed, count), `-${name}`).map((plan) => ({
    ...plan,
    ...byCard('pays_without_3ds', plan.currency),
  }));

/** Returns a function that randomly decides what happens to the next webhook. */
export const planWebhooks = (seed: number): (() => WebhookFate) => {
  const random = randomFrom(seed, 'webhooks');
  return () =>
    random.pick<WebhookFate>(['through', 'through', 'lost', 'twice', 'late', 'falsified']);
};
