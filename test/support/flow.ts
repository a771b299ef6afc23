import { waitFor } from '#testing';
import { onServer } from '../../tools/infra/databases.mjs';
import { freshDatabase } from '../../tools/stack/databases.js';
import type { AcceptedFact } from '../../tools/chaos/facts.js';
import { Payer } from '../../tools/stack/payer.js';
import { type OrderRequest, type OrderView, Platform } from '../../tools/stack/platform.js';
import {
  type Servers,
  type Stack,
  type StackOptions,
  startStack,
} from '../../tools/stack/stack.js';
import { WebhookGate } from '../../tools/stack/webhook-gate.js';
import { runnersServers } from './servers.js';
import { startHere } from './start-here.js';

/**
 * An event of an order's timeline, reduced to the fields that REST, the event stream and the topics
 * share.
 */
export interface Entry {
  readonly id: string;
  readonly type: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly version: number;
  readonly at: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An intent with the fields of the provider's API that the specs read. */
export interface Intent {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
}

const TUESDAY = 2;
const BEGIN_HOUR = 12;

/** The next Tuesday at 12:00 UTC. */
const nextTuesday = (): Date => {
  const now = new Date();
  const begin = new Date(now);
  begin.setUTCHours(BEGIN_HOUR, 0, 0, 0);
  while (begin <= now || begin.getUTCDay() !== TUESDAY) begin.setUTCDate(begin.getUTCDate() + 1);
  return begin;
};

/**
 * Starts the sandbox's clock on a Tuesday, after the morning's jobs. The next cut-off, morning and
 * weekend are then equally far away in every test.
 */
const beginOnTuesday = (sandboxUrl: string): Promise<unknown> =>
  onServer(sandboxUrl, (client) =>
    client.query(
      `INSERT INTO sandbox_clock (sandbox_at, wall_at, rate) VALUES ($1, clock_timestamp(), 1)`,
      [nextTuesday()],
    ),
  );

/**
 * Apps in the spec's process write no lines about single requests, because only the log of a failed
 * start is read. `LOG_LEVEL=info` writes them.
 */
const QUIET = { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn' };

const SOON = { timeoutMs: 20_000, everyMs: 50 };

/**
 * The whole product for one spec file, with the sandbox as provider, and functions that act as
 * platform and payers.
 */
export class Flow {
  readonly platform: Platform;
  /**
   * Every order that the api accepted, with which the checks of `npm run chaos` compare the log.
   */
  readonly accepted: AcceptedFact[] = [];
  private asked = 0;

  private constructor(
    readonly stack: Stack,
    readonly gate: WebhookGate,
  ) {
    const { apis, apiKey, merchantId } = stack;
    this.platform = new Platform(
      apis.map(({ url }) => url),
      apiKey,
      merchantId,
    );
  }

  /**
   * By default all apps run in the spec's process. Pass `startApp` of `tools/infra` to start each
   * app as a separate process.
   */
  static async start(
    options: Partial<Omit<StackOptions, keyof Servers>> = {},
    servers: Servers = runnersServers(),
  ): Promise<Flow> {
    const gate = await WebhookGate.start(servers.tls);
    const { makeDatabase = (kind) => freshDatabase(servers.databaseUrl, kind) } = servers;
    const stack = await startStack({
      name: 'flow',
      startApp: startHere,
      ...servers,
      ...options,
      ...(options.startApp === undefined ? { env: { ...QUIET, ...options.env } } : {}),
      makeDatabase: async (kind) => {
        const url = await makeDatabase(kind);
        if (kind === 'sandbox') await beginOnTuesday(url);
        return url;
      },
      gate,
    });
    return new Flow(stack, gate);
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.gate.close();
  }

  /** Places an order of 42.50 EUR, captured automatically by default. */
  async place(more: Partial<OrderRequest> = {}): Promise<OrderView> {
    this.asked += 1;
    const reference = `flow-${this.asked}`;
    const { status, body } = await this.platform.place({
      reference,
      amountMinor: 4_250,
      capture: { policy: 'automatic' },
      ...more,
    });
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
    const order = body as unknown as OrderView;
    this.accepted.push({
      key: reference,
      reference,
      orderIds: [order.id],
      canceledAtProvider: false,
      refusedCaptures: [],
    });
    return order;
  }

  read(orderId: string): Promise<OrderView> {
    return this.platform.read(orderId);
  }

  /** Waits until the order's current payment has a payment page. */
  async page(orderId: string): Promise<{ paymentId: string; pageUrl: string; payer: Payer }> {
    return waitFor(async () => {
      const { payment } = await this.read(orderId);
      if (!payment?.pageUrl) return null;
      const { id: paymentId, pageUrl } = payment;
      return { paymentId, pageUrl, payer: new Payer(pageUrl) };
    }, SOON);
  }

  async orderIs(orderId: string, status: string): Promise<OrderView> {
    return waitFor(async () => {
      const order = await this.read(orderId);
      if (order.status === status) return order;
      throw new Error(`the order is ${order.status}`);
    }, SOON);
  }

  async paymentIs(orderId: string, status: string): Promise<OrderView> {
    return waitFor(async () => {
      const order = await this.read(orderId);
      if (order.payment?.status === status) return order;
      throw new Error(`the payment is ${order.payment?.status}`);
    }, SOON);
  }

  async timeline(orderId: string): Promise<readonly Entry[]> {
    const { body } = await this.platform.surely('GET', `/v1/orders/${orderId}/timeline`);
    return body['items'] as readonly Entry[];
  }

  async haveAllFaultsHit(): Promise<boolean> {
    return this.stack.sandbox.haveAllFaultsHit();
  }

  async types(orderId: string): Promise<string[]> {
    return (await this.timeline(orderId)).map(({ type }) => type);
  }

  /** All intents that the provider has for one of our payments. */
  async intents(paymentId: string): Promise<readonly Intent[]> {
    const found = await this.stack.sandbox.api('GET', `/v2/payment_intents?order_id=${paymentId}`);
    return found['payment_intents'] as readonly Intent[];
  }
}
