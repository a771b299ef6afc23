import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '#kernel';
import type { Harness } from '../../../apps/sandbox/testing/harness.js';
import { newPayment, type NewPayment, statusOf } from './payer.js';

/** A request of the shop, reduced to the fields that the specs compare. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Order {
  readonly id: string;
  readonly amountMinor: unknown;
  readonly description: unknown;
  payment: NewPayment;
  status: 'open' | 'paid';
  readonly events: { readonly type: string; readonly at: string }[];
  readonly listeners: Set<ServerResponse>;
}

const bodyOf = async (request: IncomingMessage): Promise<SeenCall['body']> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as SeenCall['body']);
};

const frameOf = (order: Order, index: number): string => {
  const event = order.events[index];
  return `id: 1-1-${index}\nevent: ${event?.type}\ndata: ${JSON.stringify(event)}\n\n`;
};

/**
 * Replaces the orchestrator in specs of the shop. Keeps orders in memory, creates intents at a real
 * sandbox, and serves the routes of the orchestrator's REST API that the shop uses. An order
 * becomes paid when a refresh finds its intent in status `to_capture`.
 */
export class TinyOrchestrator {
  readonly calls: SeenCall[] = [];
  private readonly orders = new Map<string, Order>();
  private readonly byKey = new Map<string, Order>();
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  constructor(private readonly sandbox: Harness) {}

  async start(): Promise<string> {
    await new Promise<void>((resume) => this.server.listen(0, '127.0.0.1', resume));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resume) => {
      this.server.close(() => resume());
      this.server.closeAllConnections();
    });
  }

  /** Closes every open event stream, as a restart would. */
  cutStreams(): void {
    for (const { listeners } of this.orders.values()) {
      for (const listener of listeners) listener.destroy();
      listeners.clear();
    }
  }

  /** Cancels the payment of the latest order, and starts a new payment of the order. */
  async replacePayment(): Promise<void> {
    const order = [...this.orders.values()].at(-1);
    if (order === undefined) throw new Error('no order was placed');
    await this.sandbox.call('DELETE', `/v2/payment_intents/${order.payment.id}`);
    order.payment = await newPayment(this.sandbox, { amount: order.amountMinor });
    this.append(order, 'IntentCreated');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = await bodyOf(request);
    const idempotencyKey = headers['idempotency-key'];
    this.calls.push({
      method,
      path,
      authorization: headers.authorization,
      body,
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
    });
    const send = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const [, , kind, id = '', verb] = path.split('/');
    if (method === 'POST' && kind === 'orders') {
      return send(201, this.shown(await this.place(body, String(idempotencyKey))));
    }
    const order = kind === 'orders' ? this.orders.get(id) : this.orderOfPayment(id);
    if (order === undefined) return send(404, {});
    if (verb === 'events') return this.stream(order, request, response);
    if (verb === 'refresh') return send(200, await this.refresh(order));
    return send(200, this.shown(order));
  }

  private async place(body: SeenCall['body'], key: string): Promise<Order> {
    const known = this.byKey.get(key);
    if (known !== undefined) return known;
    const payment = await newPayment(this.sandbox, {
      amount: body['amountMinor'],
      description: body['description'],
      return_url: body['returnUrl'],
    });
    const { amountMinor, description } = body;
    const id = newId('ord');
    const order: Order = {
      id,
      amountMinor,
      description,
      payment,
      status: 'open',
      events: [],
      listeners: new Set(),
    };
    this.orders.set(id, order);
    this.byKey.set(key, order);
    this.append(order, 'OrderPlaced');
    this.append(order, 'IntentCreated');
    return order;
  }

  private async refresh(order: Order): Promise<object> {
    if (order.status === 'open' && (await statusOf(this.sandbox, order.payment)) === 'to_capture') {
      this.append(order, 'PaymentAuthorized');
      order.status = 'paid';
      this.append(order, 'OrderPaid');
    }
    return {};
  }

  private orderOfPayment(paymentId: string): Order | undefined {
    return [...this.orders.values()].find(({ id }) => id.replace('ord_', 'pay_') === paymentId);
  }

  private shown({ id, status, amountMinor, description, payment }: Order): object {
    const paymentId = id.replace('ord_', 'pay_');
    return {
      id,
      status,
      amountMinor,
      description,
      currency: 'eur',
      payment: { id: paymentId, status: 'open', pageUrl: payment.pageUrl },
    };
  }

  private append(order: Order, type: string): void {
    const index = order.events.push({ type, at: new Date().toISOString() }) - 1;
    for (const listener of order.listeners) listener.write(frameOf(order, index));
  }

  private stream(order: Order, request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 200\n\n');
    const last = String(request.headers['last-event-id'] ?? '')
      .split('-')
      .at(-1);
    const from = last === '' || last === undefined ? 0 : Number(last) + 1;
    for (let index = from; index < order.events.length; index += 1) {
      response.write(frameOf(order, index));
    }
    order.listeners.add(response);
    response.once('close', () => order.listeners.delete(response));
  }
}
