import type { Fault, FaultKind } from '../stack/sandbox.js';
import type { Shape } from '../stack/stack.js';
import type { WebhookFate } from '../stack/webhook-gate.js';
import { type Random, randomFrom } from './random.js';

/**
 * The payer's behaviour on the payment page. `disputes`: pays, and disputes the payment a day after
 * the capture. `retries`: tries a card that is refused, then a card that is accepted.
 * `interrupted`: approves at the bank and leaves before the page confirms. `undecided`: leaves
 * while at the bank.
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
  | 'never_comes';

export interface OrderPlan {
  readonly reference: string;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly capture: { readonly policy: string; readonly delay?: string };
  readonly expiresIn: string;
  readonly payer: PayerPlan;
  /**
   * Whether the platform reports that the payment page has finished, so that the api reads the
   * intent immediately.
   */
  readonly reportsPageFinished: boolean;
  /** When the platform cancels the order, whatever the payment's status. */
  readonly cancels: 'never' | 'at_once' | 'while_paying' | 'after_paying';
  /** Whether the platform requests the capture when the capture policy is `manual`. */
  readonly capturesManually: boolean;
  /** Whether the platform sends the order twice concurrently, under one Idempotency-Key. */
  readonly sendsTwice: boolean;
  /** Whether the merchant cancels the intent directly at the provider before the payer pays. */
  readonly canceledAtProvider: boolean;
}

export type AppVictim = 'all0' | 'all1' | 'api0' | 'api1' | 'worker0' | 'worker1';
export type Victim = AppVictim | 'fulfilment' | 'postgres' | 'session' | 'kafka';

/**
 * One kill -9. `session` kills the process of one PostgreSQL session, after which the server
 * recovers by itself.
 */
export interface KillPlan {
  readonly afterMs: number;
  readonly victim: Victim;
  readonly downMs: number;
}

/** The processes of each shape. */
export const APPS: Readonly<Record<Shape, readonly [AppVictim, ...AppVictim[]]>> = {
  one: ['all0', 'all1'],
  apart: ['worker0', 'api0', 'worker1', 'api1'],
};
/** The fulfilment example, which reads our topics. */
export const OTHERS: readonly [Victim, ...Victim[]] = ['fulfilment'];
export const INFRA: readonly [Victim, ...Victim[]] = ['postgres', 'kafka', 'session'];

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
    'never_comes',
  ]);

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
  return Array.from({ length: count }, (_, index) => ({
    reference: `chaos-${seed}-${index}`,
    idempotencyKey: `chaos-${seed}-key-${index}`,
    amountMinor: random.int(100, 99_999),
    capture: captureOf(random),
    expiresIn: random.pick(['PT10M', 'PT4H', 'PT4H', 'P1D', 'P3D']),
    payer: payerOf(random),
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
  }));
};

/**
 * The same orders with different references and keys, so that they can be placed a second time in
 * one database.
 */
export const withSuffix = (plans: readonly OrderPlan[], suffix: string): readonly OrderPlan[] =>
  plans.map((plan) => ({
    ...plan,
    reference: `${plan.reference}${suffix}`,
    idempotencyKey: `${plan.idempotencyKey}${suffix}`,
  }));

/**
 * An endless sequence of kills: first each process or server once, then random ones. The wait after
 * the kill of a server is longer, because apps do no work that a kill could interrupt while a
 * server is unavailable.
 */
export function* planKills(
  seed: number,
  victims: readonly [Victim, ...Victim[]],
): Generator<KillPlan> {
  const random = randomFrom(seed, `kills of ${victims.join()}`);
  const kill = (victim: Victim): KillPlan => ({
    afterMs: INFRA.includes(victim) ? random.int(4_000, 9_000) : random.int(500, 3_500),
    victim,
    downMs: random.int(0, 800),
  });
  for (const victim of random.shuffled(victims)) yield kill(victim);
  for (;;) yield kill(random.pick(victims));
}

const FAULT_KINDS: readonly [FaultKind, ...FaultKind[]] = [
  'drop_after',
  'drop_after',
  'half_answer',
  'drop_before',
  'reset',
  'status_500',
  'status_502_html',
  'status_429',
  'delay',
];

const ROUTES = [
  'POST /v2/payment_intents',
  'GET /v2/payment_intents',
  'GET /v2/payment_intents/{pi_id}',
  'GET /v2/payment_intents/{pi_id}/payments',
  'POST /v2/payment_intents/{pi_id}/capture',
  'POST /v2/payment_intents/{pi_id}/capture',
  'DELETE /v2/payment_intents/{pi_id}',
] as const;

/**
 * An endless sequence of faults at the provider, each with the milliseconds to wait before the
 * fault.
 */
export function* planFaults(seed: number): Generator<Fault & { readonly afterMs: number }> {
  const random = randomFrom(seed, 'faults');
  for (;;) {
    yield {
      afterMs: random.int(200, 1_200),
      route: random.pick(ROUTES),
      kind: random.pick(FAULT_KINDS),
      count: random.int(1, 2),
      delayMs: random.int(50, 1_500),
    };
  }
}

/** Returns a function that draws what happens to the next webhook. */
export const planWebhooks = (seed: number): (() => WebhookFate) => {
  const random = randomFrom(seed, 'webhooks');
  return () => random.pick<WebhookFate>(['through', 'through', 'lost', 'twice', 'late']);
};
