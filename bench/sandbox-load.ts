import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { assert } from '#kernel';
import { Pool } from 'undici';
import { percentile } from './rounds.js';
import {
  basicAuth,
  type BenchSandbox,
  cpuBetween,
  cpuOf,
  type CpuSeconds,
  startBenchSandbox,
} from './sandbox-process.js';

const PER_SECOND = 200;
const WARM_UP_MS = 5_000;
const MEASURED_MS = 20_000;
const PREPARED = 400;
/** A test card that needs no 3-D Secure. */
const CARD = { number: '9999000000000079', exp_month: 12, exp_year: 2090, cvc: '123' };

export interface LoadServers {
  readonly databaseUrl: string;
  readonly tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string };
}

export interface CallFigures {
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface LoadFigures extends CallFigures {
  /** The latencies and counts by kind of request. */
  readonly calls: Readonly<Record<string, CallFigures>>;
  readonly webhooks: number;
  /** The CPU time of the whole run, including the delivery of webhooks. */
  readonly cpu: CpuSeconds;
}

/** A merchant's webhook receiver, to which the sandbox sends every event. */
const startReceiver = async ({ certFile, keyFile }: LoadServers['tls']) => {
  let count = 0;
  const server = createServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      count += 1;
      request.resume().on('end', () => response.writeHead(204).end());
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    count: () => count,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Body = Record<string, unknown>;

class Client {
  readonly http: Pool;
  private readonly headers: Record<string, string>;

  constructor(sandbox: BenchSandbox) {
    this.http = new Pool(sandbox.url, { connections: 32, pipelining: 1 });
    this.headers = { authorization: basicAuth(sandbox), 'content-type': 'application/json' };
  }

  /** Calls the API and returns the object of the response. Throws unless the status is 200. */
  async call(method: 'GET' | 'POST', path: string, body?: Body): Promise<Body> {
    const answer = await this.http.request({
      path,
      method,
      headers: this.headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as Body;
  }
}

/**
 * The objects that the requests of a run use. `take` removes an object and returns it. `name`
 * returns one object after another, and starts again after the last.
 */
class Shelf {
  private readonly ids: string[] = [];
  private next = 0;

  put({ id }: Body): void {
    this.ids.push(String(id));
  }

  take(): string {
    const id = this.ids.pop();
    assert(id !== undefined, 'enough payments were prepared for the requests');
    return id;
  }

  /** Returns the next id; after the last id, starts again with the first. */
  name(): string {
    this.next = (this.next + 1) % this.ids.length;
    return this.ids[this.next] ?? '';
  }
}

interface Shelves {
  readonly customers: Shelf;
  readonly intents: Shelf;
  readonly authorized: Shelf;
  readonly captured: Shelf;
}

const pay = (client: Client, capture: boolean): Promise<Body> =>
  client.call('POST', '/v2/payments', { amount: 1_250, capture, card: CARD });

const prepare = async (client: Client, sandbox: BenchSandbox): Promise<Shelves> => {
  const shelves = {
    customers: new Shelf(),
    intents: new Shelf(),
    authorized: new Shelf(),
    captured: new Shelf(),
  };
  for (let n = 0; n < PREPARED; n += 1) shelves.captured.put(await pay(client, true));
  await sandbox.control.advance('P3D');
  for (let n = 0; n < PREPARED; n += 1) {
    shelves.authorized.put(await pay(client, false));
    shelves.customers.put(await client.call('POST', '/v2/customers', { email: 'a@example.org' }));
    shelves.intents.put(await client.call('POST', '/v2/payment_intents', { amount: 1_250 }));
  }
  return shelves;
};

interface Call {
  readonly name: string;
  /** The share of this kind of request, in percent. */
  readonly share: number;
  readonly run: (client: Client, shelves: Shelves) => Promise<unknown>;
}

const CALLS: readonly Call[] = [
  {
    name: 'POST payment_intents',
    share: 20,
    run: async (client, { customers, intents }) =>
      intents.put(
        await client.call('POST', '/v2/payment_intents', {
          amount: 1_250,
          capture: false,
          customer: customers.name(),
          methods_allowed: 'card,sepa',
        }),
      ),
  },
  {
    name: 'GET payment_intents/{id}',
    share: 25,
    run: (client, { intents }) => client.call('GET', `/v2/payment_intents/${intents.name()}`),
  },
  {
    name: 'GET payment_intents',
    share: 8,
    run: (client) => client.call('GET', '/v2/payment_intents?limit=20'),
  },
  { name: 'GET payments', share: 5, run: (client) => client.call('GET', '/v2/payments?limit=20') },
  {
    name: 'POST payments',
    share: 10,
    run: async (client, { authorized }) => authorized.put(await pay(client, false)),
  },
  {
    name: 'POST payments/{id}/capture',
    share: 8,
    run: (client, { authorized }) =>
      client.call('POST', `/v2/payments/${authorized.take()}/capture`),
  },
  {
    name: 'POST payments/{id}/refund',
    share: 4,
    run: (client, { captured }) =>
      client.call('POST', `/v2/payments/${captured.name()}/refund`, { amount: 1 }),
  },
  {
    name: 'POST customers',
    share: 10,
    run: async (client, { customers }) =>
      customers.put(
        await client.call('POST', '/v2/customers', { email: 'b@example.org', name: 'A payer' }),
      ),
  },
  {
    name: 'GET customers/{id}',
    share: 10,
    run: (client, { customers }) => client.call('GET', `/v2/customers/${customers.name()}`),
  },
];

/** A sequence of a hundred requests in which each kind has its share and is evenly distributed. */
const deck = (): readonly Call[] => {
  const cards = CALLS.flatMap((call) =>
    Array.from({ length: call.share }, (_, n) => ({ call, at: (n + 0.5) / call.share })),
  );
  assert(cards.length === 100, 'the shares of all kinds of requests add up to 100');
  return cards.sort((a, b) => a.at - b.at).map(({ call }) => call);
};

interface Sent {
  readonly name: string;
  /**
   * The time from the planned start of the request until its response was read, in milliseconds. A
   * delay of the start is included.
   */
  readonly ms: number;
}

/** Starts requests at a fixed rate, even if earlier responses are still missing. */
const sendFor = async (client: Client, shelves: Shelves, forMs: number): Promise<Sent[]> => {
  const calls = deck();
  const count = Math.round((forMs / 1_000) * PER_SECOND);
  const startMs = performance.now();
  const sent: Promise<Sent>[] = [];
  while (sent.length < count) {
    const dueMs = startMs + (sent.length / PER_SECOND) * 1_000;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await setTimeout(waitMs);
    const call = calls[sent.length % calls.length];
    assert(call !== undefined, 'there is at least one kind of request');
    sent.push(
      call.run(client, shelves).then(() => ({ name: call.name, ms: performance.now() - dueMs })),
    );
  }
  return Promise.all(sent);
};

const figuresOf = (sent: readonly Sent[]): CallFigures => {
  const times = sent.map(({ ms }) => ms);
  return {
    count: sent.length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    p99Ms: percentile(times, 0.99),
  };
};

/**
 * Bench S1: sends 200 API requests of different kinds per second to the sandbox, which delivers
 * webhooks at the same time.
 */
export const benchLoad = async (servers: LoadServers): Promise<LoadFigures> => {
  const sandbox = await startBenchSandbox(servers);
  const receiver = await startReceiver(servers.tls);
  const client = new Client(sandbox);
  try {
    await client.call('POST', '/v2/webhooks', { url: receiver.url });
    const shelves = await prepare(client, sandbox);
    await sendFor(client, shelves, WARM_UP_MS);
    const [before, cpuBefore] = [receiver.count(), await cpuOf(sandbox)];
    const sent = await sendFor(client, shelves, MEASURED_MS);
    const calls = CALLS.map(
      ({ name }) => [name, figuresOf(sent.filter((one) => one.name === name))] as const,
    );
    return {
      ...figuresOf(sent),
      calls: Object.fromEntries(calls),
      webhooks: receiver.count() - before,
      cpu: cpuBetween(cpuBefore, await cpuOf(sandbox)),
    };
  } finally {
    await client.http.close();
    receiver.close();
    await sandbox.stop();
  }
};
