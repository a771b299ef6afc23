import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiError,
  type Client,
  type CompanyInput,
  createClient,
  type ExpectedDocument,
  type PublishedEvent,
  verifyWebhook,
} from 'payment-orchestrator-client';

/**
 * A platform that uses the TypeScript client for orders, refunds, lists, events, webhooks and
 * merchants.
 */

/** The arguments with which the test starts the program. */
export interface Shop {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly merchantId: string;
  readonly details: CompanyInput;
  readonly jpeg: Buffer;
  readonly pdf: Buffer;
  /** Prints a result, or requests an action of the payer or the merchant from the test. */
  readonly report: (verb: string, ...words: readonly string[]) => void;
}

/** Polls without a timeout, because the calling test limits the duration of the whole run. */
const until = async <T>(poll: () => Promise<T | null> | T | null): Promise<T> => {
  for (;;) {
    const found = await poll();
    if (found !== null) return found;
    await sleep(200);
  }
};

class Receiver {
  readonly events: PublishedEvent[] = [];
  secret = '';
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const { headers } = request;
        this.events.push(verifyWebhook({ secret: this.secret, headers, body }));
        response.writeHead(204).end();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const sell = async (client: Client, shop: Shop): Promise<string> => {
  const order = {
    merchantId: shop.merchantId,
    reference: `client-${randomUUID()}`,
    amountMinor: 1_250,
    currency: 'eur',
    capture: { policy: 'automatic' },
  } as const;
  const { id } = await client.placeOrder(order, { waitSeconds: 2 });
  const pageUrl = await until(async () => (await client.getOrder({ id })).payment?.pageUrl ?? null);
  shop.report('pay', pageUrl);
  await until(async () => (await client.getOrder({ id })).status === 'paid' || null);
  shop.report('paid', id);
  try {
    await client.placeOrder(order);
  } catch (error) {
    if (!(error instanceof ApiError) || error.requestId === null) throw error;
    shop.report(error.code, String(error.status));
  }
  return id;
};

const refund = async (client: Client, shop: Shop, id: string): Promise<void> => {
  try {
    await client.refundOrder({ id, amountMinor: undefined as never });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    shop.report('no amount', error.code);
  }
  const { status } = await client.refundOrder({ id, amountMinor: 500 });
  shop.report('clear');
  await until(async () => (await client.getOrder({ id })).refundedMinor === 500 || null);
  shop.report('refunded', status);
};

/**
 * Reads the list of orders with pages of one order. Repeats this until the list contains the new
 * order, because read models are updated with a delay.
 */
const list = async (client: Client, shop: Shop, id: string): Promise<void> => {
  const { merchantId } = shop;
  const other = await client.placeOrder({
    merchantId,
    reference: `client-${randomUUID()}`,
    amountMinor: 900,
    currency: 'eur',
    capture: { policy: 'manual' },
  });
  await until(async () => {
    const found: string[] = [];
    for await (const order of client.listOrders({ merchantId, limit: 1 })) found.push(order.id);
    return (found[0] === other.id && found.includes(id)) || null;
  });
  shop.report('listed');
};

/** Follows the feed of events from its start until the order's refund. */
const follow = async (client: Client, shop: Shop, id: string): Promise<void> => {
  let cursor: string | undefined;
  const paidMinor: number[] = [];
  const type = ['OrderPaid', 'OrderRefunded'] as const;
  await until(async () => {
    const input = cursor === undefined ? { type } : { type, cursor };
    for await (const { items, nextCursor } of client.listEvents(input).pages()) {
      cursor = nextCursor;
      for (const event of items.filter(({ subject }) => subject === id)) {
        if (event.type === 'payment-orchestrator.OrderPaid') paidMinor.push(event.data.amountMinor);
        if (event.type === 'payment-orchestrator.OrderRefunded') return true;
      }
    }
    return null;
  });
  shop.report('followed', ...paidMinor.map(String));
};

const send = async (client: Client, shop: Shop, id: string, paper: ExpectedDocument) => {
  const { kind, personId } = paper;
  const isCard = kind === 'identity_card';
  const [jpeg, pdf] = [new Blob([new Uint8Array(shop.jpeg)]), new Blob([new Uint8Array(shop.pdf)])];
  const meta = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };
  await client.addDocument({
    id,
    kind,
    ...(personId !== null && { personId }),
    file: isCard ? [jpeg, jpeg] : [pdf],
    ...(isCard && { meta }),
  });
};

const onboard = async (client: Client, shop: Shop): Promise<void> => {
  const reference = `client-${randomUUID()}`;
  const { id } = await client.onboardMerchant({ reference, mode: 'test', details: shop.details });
  const companyId = await until(async () => (await client.getMerchant({ id })).companyId);
  const { expected } = await client.listDocuments({ id });
  for (const paper of expected) await send(client, shop, id, paper);
  const { link } = await client.getSubscriptionLink({ id });
  shop.report('sign', link, companyId);
  await until(async () => (await client.refreshMerchant({ id })).orders.enabled || null);
  shop.report('open', id);
};

export const runShop = async (shop: Shop): Promise<void> => {
  const client = createClient({ baseUrl: shop.apiUrl, apiKey: shop.apiKey });
  const receiver = new Receiver();
  try {
    const url = await receiver.listen();
    const endpoint = await client.createWebhookEndpoint({ url, eventTypes: ['OrderPaid'] });
    receiver.secret = (await client.getWebhookSecret({ id: endpoint.id })).secret;
    const id = await sell(client, shop);
    await refund(client, shop, id);
    await list(client, shop, id);
    await follow(client, shop, id);
    const event = await until(() => receiver.events.find(({ subject }) => subject === id) ?? null);
    shop.report('received', event.type);
    await client.deleteWebhookEndpoint({ id: endpoint.id });
    await onboard(client, shop);
  } finally {
    receiver.close();
  }
};
