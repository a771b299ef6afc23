import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '#testing';
import { CARDS, IBANS, type PageAnswer, Payer } from '../stack/payer.js';
import type { OrderView, Platform } from '../stack/platform.js';
import type { Sandbox } from '../stack/sandbox.js';
import {
  acknowledgedCancellation,
  acknowledgedCapture,
  type Acknowledgement,
} from './acknowledged.js';
import type { AcceptedFact } from './facts.js';
import { FailedDuringRun } from './failed-during-run.js';
import type { OrderPlan } from './scenario.js';

export interface LoadParts {
  readonly platform: Platform;
  readonly sandbox: Sandbox;
  /** The number of orders that run concurrently. */
  readonly width: number;
  /** Called after each order was placed. The payer continues when the result resolves. */
  readonly onPlaced: (done: number) => void | Promise<void>;
  /** Called after each request, with null if the request was refused. */
  readonly onAnswer?: (acknowledged: Acknowledgement | null) => void;
}

const PAUSE_MS = 100;
/**
 * The pause between two orders of one payer. It lengthens the load, so that orders are running when
 * processes are killed.
 */
const NEXT_AFTER_MS = 1_500;
/** The time limit for repeating a failed action. It is long, because a busy machine is slow. */
const PATIENCE_MS = 180_000;
/** The interval between two reads of a payment by the platform. */
const ASKS_EVERY_MS = 10_000;
const PAYING: ReadonlySet<OrderPlan['payer']> = new Set([
  'pays',
  'pays_without_3ds',
  'disputes',
  'retries',
  'bank_refuses_then_pays',
  'interrupted',
]);
const ENDED = new Set(['paid', 'canceled', 'expired', 'failed']);

/**
 * Repeats an action while a server is unavailable, like a payer who presses the button again.
 * Returns null after the time limit.
 */
const patiently = <T extends object | boolean>(act: () => Promise<T>): Promise<T | null> =>
  waitFor(async () => ({ done: await act() }), { timeoutMs: PATIENCE_MS, everyMs: PAUSE_MS }).then(
    ({ done }) => done,
    () => null,
  );

/** Polls the order until `poll` returns a value; returns null after the time limit. */
const watch = async <T>(
  platform: Platform,
  orderId: string,
  poll: (order: OrderView) => T | null | Promise<T | null>,
): Promise<T | null> => {
  const untilMs = Date.now() + PATIENCE_MS;
  let askMs = Date.now() + ASKS_EVERY_MS;
  while (Date.now() < untilMs) {
    const order = await platform.read(orderId);
    const found = await poll(order);
    if (found !== null) return found;
    if (order.payment && Date.now() >= askMs) {
      await platform.refresh(order.payment.id);
      askMs = Date.now() + ASKS_EVERY_MS;
    }
    await sleep(PAUSE_MS);
  }
  return null;
};

type Page = NonNullable<OrderView['payment']> & { readonly pageUrl: string };

/**
 * Waits until the order's current payment has a page; returns null when the payment has ended or
 * after the time limit.
 */
const pageOf = async (
  platform: Platform,
  orderId: string,
  notOf: string | null = null,
): Promise<Page | null> => {
  const seen = await watch(platform, orderId, ({ status, payment }) => {
    if (payment?.pageUrl && payment.id !== notOf) return { ...payment, pageUrl: payment.pageUrl };
    return ENDED.has(status) ? 'over' : null;
  });
  return seen === 'over' ? null : seen;
};

const at3ds = async (
  payer: Payer,
  decision: 'approve' | 'refuse' | 'leave',
): Promise<PageAnswer['next']> => {
  const answer = await payer.card(CARDS.threeDSecure);
  if (answer.next !== 'secure_auth') return answer.next;
  return (await payer.atBank(answer.authSessionId, decision)).next;
};

/**
 * Plays the payer's plan on the payment page. Returns whether the page reported that the payment is
 * finished.
 */
const act = async (payer: Payer, plan: OrderPlan): Promise<boolean> => {
  switch (plan.payer) {
    case 'pays':
      return (await payer.pay(CARDS.threeDSecure)) === 'confirm';
    case 'pays_without_3ds':
      return (await payer.pay(CARDS.plain)) === 'confirm';
    case 'disputes':
      return (await payer.pay(CARDS.disputed)) === 'confirm';
    case 'retries':
      await payer.pay(CARDS.refused);
      return (await payer.pay(CARDS.threeDSecure)) === 'confirm';
    case 'bank_refuses_then_pays':
      await at3ds(payer, 'refuse');
      return (await payer.pay(CARDS.plain)) === 'confirm';
    case 'refused':
      await payer.pay(CARDS.insufficientFunds);
      return false;
    case 'interrupted':
      await at3ds(payer, 'approve');
      return false;
    case 'undecided':
      await at3ds(payer, 'leave');
      return false;
    case 'debits':
      await payer.debit(IBANS.accepted);
      return true;
    case 'debit_fails':
      await payer.debit(IBANS.insufficientFunds);
      return true;
    case 'never_comes':
      return false;
  }
};

type Placed = Omit<AcceptedFact, 'refusedCaptures'>;

/** Places the order of a plan, and repeats the request while no api responds. */
export const placeOrder = async (
  { platform }: Pick<LoadParts, 'platform'>,
  plan: OrderPlan,
): Promise<Placed> => {
  const { reference, amountMinor, currency, capture, expiresIn, idempotencyKey } = plan;
  const methods = [plan.method];
  const request = { reference, amountMinor, currency, methods, capture, expiresIn };
  const once = () => platform.place(request, idempotencyKey);
  const answers = await Promise.all(plan.sendsTwice ? [once(), once()] : [once()]);
  for (const { status, body } of answers) {
    if (status !== 201) {
      throw new FailedDuringRun(
        `each valid order is accepted: ${reference} got ${status} ${JSON.stringify(body)}`,
      );
    }
  }
  return {
    key: idempotencyKey,
    reference,
    canceledAtProvider: plan.canceledAtProvider,
    orderIds: [...new Set(answers.map(({ body }) => String(body['id'])))],
  };
};

/**
 * Cancels the intent directly at the provider, as a merchant can in the User Area. Waits until the
 * order has a new payment.
 */
const cancelAtProvider = async (
  { platform, sandbox }: LoadParts,
  orderId: string,
  page: { id: string; pageUrl: string },
) => {
  const intentId = page.pageUrl.split('/').at(-1) ?? '';
  await patiently(() => sandbox.api('DELETE', `/v2/payment_intents/${intentId}`));
  await patiently(() => platform.pageCompleted(page.id));
  return pageOf(platform, orderId, page.id);
};

/** Two apis. Only the api `outdated` has an older state of the order in its cache. */
interface Apis {
  readonly current: Platform;
  readonly outdated: Platform;
}

const cancel = async (
  { onAnswer }: LoadParts,
  platform: Platform,
  orderId: string,
): Promise<void> => onAnswer?.(acknowledgedCancellation(orderId, await platform.cancel(orderId)));

/**
 * Waits until the order is authorized, and then captures it until the time limit. Returns the codes
 * with which captures were refused.
 */
const captureHeld = async (
  { onAnswer }: LoadParts,
  { current, outdated }: Apis,
  orderId: string,
): Promise<readonly string[]> => {
  const refused: string[] = [];
  await watch(current, orderId, async ({ status }) => {
    if (ENDED.has(status) || status === 'closing') return 'over';
    if (status !== 'authorized') return null;
    const answer = await (refused.length === 0 ? outdated : current).capture(orderId);
    onAnswer?.(acknowledgedCapture(orderId, answer));
    if (answer.status === 202) return 'captured';
    refused.push(String(answer.body['code']));
    return null;
  });
  return refused;
};

/** Executes an order's plan; returns the codes of refused captures. */
const followPlan = async (
  parts: LoadParts,
  plan: OrderPlan,
  orderId: string,
): Promise<readonly string[]> => {
  const isManual = plan.capture.policy === 'manual' && plan.capturesManually;
  const apis: Apis = { current: parts.platform.only(0), outdated: parts.platform.only(1) };
  const platform = isManual ? apis.current : parts.platform;
  if (plan.cancels === 'at_once') await cancel(parts, platform, orderId);
  let page = await pageOf(platform, orderId);
  if (page !== null && plan.canceledAtProvider) {
    page = await cancelAtProvider({ ...parts, platform }, orderId, page);
  }
  // Makes the api `outdated` cache the order's state before the payment.
  await apis.outdated.read(orderId);
  if (page !== null) {
    const payer = new Payer(page.pageUrl);
    const paying = patiently(() => act(payer, plan));
    if (plan.cancels === 'while_paying') await cancel(parts, platform, orderId);
    const isFinished = await paying;
    if (isFinished === true && plan.reportsPageFinished) {
      const { id } = page;
      await patiently(() => platform.pageCompleted(id));
    }
  }
  if (plan.cancels === 'after_paying') await cancel(parts, platform, orderId);
  const mayBePaid = PAYING.has(plan.payer) && page !== null;
  return isManual && mayBePaid ? captureHeld(parts, apis, orderId) : [];
};

/** Runs all orders with their platforms and payers; returns the facts of the accepted orders. */
export const runLoad = async (
  parts: LoadParts,
  plans: readonly OrderPlan[],
): Promise<readonly AcceptedFact[]> => {
  const accepted: AcceptedFact[] = [];
  let placed = 0;
  const waiting = [...plans];
  const worker = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const one = await placeOrder(parts, plan);
      placed += 1;
      await parts.onPlaced(placed);
      const refusedCaptures = await followPlan(parts, plan, one.orderIds[0] ?? '');
      accepted.push({ ...one, refusedCaptures });
      await sleep(NEXT_AFTER_MS);
    }
  };
  await Promise.all(Array.from({ length: parts.width }, worker));
  return accepted;
};
