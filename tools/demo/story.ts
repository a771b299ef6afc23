import { randomUUID } from 'node:crypto';
import { randomText } from '#kernel';
import { waitFor } from '#testing';
import type { Entry } from './event-stream.js';
import { followEvents } from './event-stream.js';
import type { Card } from './pay.js';
import { pay, payerIs } from './pay.js';
import { lineOf } from './timeline.js';

type Paint = (text: string) => string;

export interface StoryParts {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly sandboxUrl: string;
  readonly say: (line?: string) => void;
  readonly paint: { readonly dim: Paint; readonly green: Paint };
}

interface Payment {
  readonly id: string;
  readonly status: string;
  readonly pageUrl: string | null;
}

interface Order {
  readonly id: string;
  readonly status: string;
  readonly payment: Payment | null;
}

interface TestValue {
  readonly kind: string;
  readonly scenario: string;
  readonly value: string;
}

const WAIT_MS = 30_000;
const STEP_OF_CLOCK = 'PT6H';
const MAX_CLOCK_STEPS = 12;

const readJson = async <T>(answer: Response): Promise<T> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
};

/** What the story asks of the api, as a platform does. */
class Platform {
  private readonly headers: Readonly<Record<string, string>>;

  constructor(private readonly parts: StoryParts) {
    this.headers = { authorization: `Bearer ${parts.apiKey}` };
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    const headers = {
      ...this.headers, 'content-type': 'application/json', 'idempotency-key': randomUUID(),
    };
    const url = `${this.parts.apiUrl}${path}`;
    return readJson(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }));
  }

  place(): Promise<Order> {
    return this.post('/v1/orders', {
      merchantId: this.parts.merchantId,
      // In letters too: digits alone may look like a card number by chance, and are refused.
      reference: `demo-${Date.now().toString(36)}-${randomText(4)}`,
      amountMinor: 4_250,
      currency: 'eur',
      capture: { policy: 'automatic' },
      description: 'A lamp and two bulbs',
    });
  }

  async read(orderId: string): Promise<Order> {
    const url = `${this.parts.apiUrl}/v1/orders/${orderId}`;
    return readJson(await fetch(url, { headers: this.headers }));
  }

  /** What a shop does when the page in its frame says that it has finished. */
  pageFinished(paymentId: string): Promise<Payment> {
    return this.post(`/v1/payments/${paymentId}/refresh`, { pageFinished: true });
  }

  follow(orderId: string, tell: (entry: Entry) => void, signal: AbortSignal): Promise<void> {
    const url = `${this.parts.apiUrl}/v1/orders/${orderId}/events`;
    return followEvents(url, this.headers, tell, signal);
  }
}

const cardWithSecure = async (sandboxUrl: string): Promise<Card> => {
  const answer = await fetch(`${sandboxUrl}/sandbox/test-values`);
  const values = await readJson<TestValue[]>(answer);
  const found = values.find(
    ({ kind, scenario }) => kind === 'card' && /accepted, 3d secure optional/i.test(scenario),
  );
  if (found === undefined) throw new Error('the sandbox has no card that asks for 3-D Secure');
  const expYear = new Date().getFullYear() + 3;
  return { number: found.value, expMonth: 12, expYear, cvc: '123', name: 'Camille Martin' };
};

const advanceClock = async (sandboxUrl: string): Promise<void> => {
  await readJson(await fetch(`${sandboxUrl}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: STEP_OF_CLOCK }),
  }));
};

/** The clearing day, quarter by quarter, until the provider says captured. */
const moveUntilCaptured = async (
  platform: Platform, sandboxUrl: string, orderId: string,
): Promise<boolean> => {
  for (let step = 0; step < MAX_CLOCK_STEPS; step += 1) {
    await advanceClock(sandboxUrl);
    const { payment } = await platform.read(orderId);
    if (payment?.status === 'captured') return true;
  }
  return false;
};

const walk = async (
  platform: Platform, parts: StoryParts, order: Order, seen: ReadonlySet<string>,
): Promise<boolean> => {
  const { say, paint, sandboxUrl } = parts;
  const note = (text: string): void => say(paint.dim(`  ${''.padEnd(14)}  ${text}`));
  const open = await waitFor(
    async () => {
      const { payment } = await platform.read(order.id);
      const pageUrl = payment?.pageUrl;
      return payment && pageUrl ? { id: payment.id, pageUrl } : null;
    },
    { timeoutMs: WAIT_MS, everyMs: 100 },
  );
  await waitFor(() => seen.has('IntentCreated'), { timeoutMs: WAIT_MS });
  note(`the payer types a test card and approves at the bank (${payerIs()})`);
  await pay(open.pageUrl, await cardWithSecure(sandboxUrl));
  await platform.pageFinished(open.id);
  await waitFor(() => seen.has('OrderPaid'), { timeoutMs: WAIT_MS });
  note('the sandbox\'s clock moves on, through the clearing of the day');
  if (!(await moveUntilCaptured(platform, sandboxUrl, order.id))) return false;
  await waitFor(() => seen.has('PaymentCaptured'), { timeoutMs: WAIT_MS });
  return true;
};

/**
 * Sees one order through and tells it as it happens: placed, paid by card with 3-D Secure, captured
 * as far as the provider can the same day, then the clock moved until `captured`. Answers whether
 * it went through; what stood in the way is told.
 */
export const tellStory = async (parts: StoryParts): Promise<boolean> => {
  const { say, paint } = parts;
  const platform = new Platform(parts);
  const seen = new Set<string>();
  const order = await platform.place();
  const end = new AbortController();
  const telling = platform.follow(order.id, (entry) => {
    seen.add(entry.type);
    say(lineOf(entry, paint.dim));
  }, end.signal);
  try {
    const wentThrough = await Promise.race([
      walk(platform, parts, order, seen),
      telling.then(() => Promise.reject(new Error('the event stream ended'))),
    ]);
    if (wentThrough) say(`\n  ${paint.green('✓')} The order went the whole way: ${order.id}`);
    else say(`\n  ${order.id} was not captured after ${MAX_CLOCK_STEPS} times ${STEP_OF_CLOCK}`);
    return wentThrough;
  } catch (error) {
    say(`\n  ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    end.abort();
  }
};
