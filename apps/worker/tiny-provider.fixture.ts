import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { randomText } from '#kernel';

interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly order_id: string;
  readonly unique_id: string;
  readonly created_at: number;
  status: string;
  payment: string | null;
}

interface Attempt {
  readonly id: string;
  /** The mandate of a direct debit. */
  readonly mandate?: string;
  /** When the direct debit was made, in epoch seconds. */
  readonly created?: number;
  status: string | null;
  response: string | null;
}

interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly created: number;
  readonly payment: string;
  status: string;
}

interface Dispute {
  readonly id: string;
  readonly amount: number;
  readonly payment: string;
  readonly type: 'chargeback' | 'sepa_return';
  status: string;
}

export type Verb =
  | 'create'
  | 'capture'
  | 'cancel'
  | 'debit'
  | 'refund'
  | 'get'
  | 'find'
  | 'attempts'
  | 'refunds'
  | 'disputes'
  | 'debits';

/**
 * The faults of a request. `reset` and `html` occur after the request was executed; with any other
 * fault, the request is not executed.
 */
export type Fault =
  | 'reset'
  | 'html'
  | 'refuse401'
  | 'refuse422'
  | 'limit429'
  | 'reset_before'
  | '404'
  | '409'
  | 'refuse_unstorable';

/** The responses to requests that are refused and not executed. */
const REFUSALS: Partial<Record<Fault, readonly [status: number, body: object]>> = {
  refuse401: [401, { error: 'no such key' }],
  refuse422: [422, { detail: [{ loc: ['body', 'amount'], msg: 'too much', type: 'value_error' }] }],
  refuse_unstorable: [422, { error: `${'x'.repeat(299)}\u{1F4B3} and \0` }],
  '404': [404, { error: 'Payment intent `pi_…` not found' }],
  '409': [409, { error: 'not now' }],
};

/** A small provider over real HTTP: it succeeds unless a fault is set, and records its requests. */
export class TinyProvider {
  readonly intents = new Map<string, Intent>();
  readonly attempts = new Map<string, Attempt[]>();
  readonly refunds = new Map<string, Refund[]>();
  readonly disputes = new Map<string, Dispute[]>();
  readonly asked: Verb[] = [];
  /** Called before a request is executed. */
  before: (verb: Verb) => Promise<void> | void = () => {};
  /**
   * Replaces the body of a response with wrong data, for specs about the validation of responses.
   */
  misanswer: (verb: Verb, body: unknown) => unknown = (_verb, body) => body;
  /** The time at which debits and refunds are made, in epoch seconds. */
  nowSeconds: () => number = secondsNow;
  private faults: { verb: Verb; fault: Fault }[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TinyProvider> {
    const server = createServer();
    const provider = new TinyProvider(server);
    server.on('request', (request, response) => void provider.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Makes the next requests of this verb fail. */
  failNext(verb: Verb, fault: Fault, times = 1): void {
    for (let time = 0; time < times; time += 1) this.faults.push({ verb, fault });
  }

  count(verb: Verb): number {
    return this.asked.filter((one) => one === verb).length;
  }

  /** The only intent with our reference. */
  intentOf(orderId: string): Intent | undefined {
    return [...this.intents.values()].find((intent) => intent.order_id === orderId);
  }

  /** Adds a payment attempt of the payer, and sets the intent's resulting status. */
  attempt(
    intentId: string,
    status: string,
    intentStatus = status,
    response = status === 'refused' ? '51' : '00',
  ): void {
    const intent = this.intents.get(intentId);
    if (intent === undefined) throw new Error(`no intent ${intentId}`);
    const id = `paym_${randomText(24)}`;
    this.attempts.set(intentId, [{ id, status, response }, ...(this.attempts.get(intentId) ?? [])]);
    intent.payment = id;
    intent.status = intentStatus;
  }

  /** Debits a bank account under a mandate. */
  debit(intentId: string, mandate: string): void {
    const intent = this.intents.get(intentId);
    if (intent === undefined) throw new Error(`no intent ${intentId}`);
    const made = {
      id: `paym_${randomText(24)}`,
      status: 'to_capture',
      response: '00',
      mandate,
      created: this.nowSeconds(),
    };
    this.attempts.set(intentId, [made]);
    intent.payment = made.id;
    intent.status = 'processing';
  }

  /** Makes a refund at the provider that we did not request. */
  refund(intentId: string, amount: number, status = 'to_refund', at = this.nowSeconds()): Refund {
    const payment = this.attempts.get(intentId)?.[0]?.id ?? PAYMENT;
    const made = { id: `refd_${randomText(24)}`, amount, status, created: at, payment };
    this.refunds.set(intentId, [made, ...(this.refunds.get(intentId) ?? [])]);
    return made;
  }

  /** The payer disputes or charges back the whole amount. */
  dispute(intentId: string, type: Dispute['type'] = 'chargeback'): void {
    const payment = this.attempts.get(intentId)?.[0]?.id ?? PAYMENT;
    const made = { id: `dspt_${randomText(24)}`, amount: 1_999, payment, type, status: 'open' };
    this.disputes.set(intentId, [made]);
  }

  reset(): void {
    this.faults = [];
    this.asked.length = 0;
    this.before = () => {};
    this.misanswer = (_verb, body) => body;
    this.nowSeconds = secondsNow;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [, list] = /^\/v2\/(payouts|refunds|disputes)\?/.exec(request.url ?? '') ?? [];
    if (list !== undefined) return send(response, 200, { [list]: [], range: range([]) });
    const { verb, id, orderId } = route(request);
    this.asked.push(verb);
    await this.before(verb);
    const index = this.faults.findIndex((planned) => planned.verb === verb);
    const fault = index === -1 ? null : (this.faults.splice(index, 1)[0]?.fault ?? null);
    if (fault === 'reset_before') return void response.socket?.resetAndDestroy();
    if (fault === 'limit429') {
      return send(response, 429, { error: 'slow down' }, { 'retry-after': '7' });
    }
    const refused = fault === null ? undefined : REFUSALS[fault];
    if (refused !== undefined) return send(response, ...refused);
    const [status, body] = this.work(verb, id, orderId, Buffer.concat(chunks).toString());
    if (fault === 'reset') return void response.socket?.resetAndDestroy();
    if (fault === 'html') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
      return undefined;
    }
    send(response, status, this.misanswer(verb, body));
  }

  private work(verb: Verb, id: string, orderId: string, body: string): [number, unknown] {
    const intent = this.intents.get(id);
    switch (verb) {
      case 'create':
        return this.create(JSON.parse(body) as Intent);
      case 'find': {
        const found = [...this.intents.values()].filter((one) => one.order_id === orderId);
        return [200, { payment_intents: found.map((one) => wire(one)), range: range(found) }];
      }
      case 'attempts': {
        const list = (this.attempts.get(id) ?? []).map((one) => wireAttempt(one, intent));
        return [200, { payments: list, range: range(list) }];
      }
      case 'debits':
        return this.listDebits(new URLSearchParams(id));
      case 'get':
        return intent
          ? [200, wire(intent)]
          : [404, { error: `Payment intent \`${id}\` not found` }];
      case 'capture':
        if (intent?.status === 'authorized') intent.status = 'to_capture';
        if (intent?.status !== 'to_capture') return [409, { error: 'not authorized' }];
        return [200, wire(intent)];
      case 'debit':
        if (intent?.status !== 'require_payment_method') return [409, { error: 'not now' }];
        this.debit(id, (JSON.parse(body) as { sepa: string }).sepa);
        return [200, wire(intent)];
      case 'refund': {
        if (!intent || this.disputes.has(id)) return [409, { error: 'it is disputed' }];
        return [200, wireRefund(this.refund(id, (JSON.parse(body) as { amount: number }).amount))];
      }
      case 'refunds':
        return [200, (this.refunds.get(id) ?? []).map((one) => wireRefund(one))];
      case 'disputes':
        return [200, (this.disputes.get(id) ?? []).map((one) => wireDispute(one))];
      case 'cancel':
        if (!intent || intent.status.startsWith('capture')) return [409, { error: 'late' }];
        intent.status = 'canceled';
        return [200, wire(intent)];
    }
  }

  /** The debits of all intents, newest first; the list omits card attempts. */
  private listDebits(asked: URLSearchParams): [number, unknown] {
    const [since, start, limit] = ['created', 'start', 'limit'].map((of) => Number(asked.get(of)));
    const made = [...this.attempts]
      .flatMap(([intentId, attempts]) => {
        const intent = this.intents.get(intentId);
        return attempts
          .filter(({ mandate, created = 0 }) => mandate !== undefined && created >= (since ?? 0))
          .map((one) => wireAttempt(one, intent));
      })
      .reverse();
    const page = made.slice(start, (start ?? 0) + (limit ?? 0));
    const hasMore = (start ?? 0) + page.length < made.length;
    return [200, { payments: page, range: { ...range(page), has_more: hasMore } }];
  }

  private create(body: Intent): [number, unknown] {
    const isTaken = [...this.intents.values()].some((one) => one.unique_id === body.unique_id);
    if (isTaken) return [409, { error: 'unique_id is taken' }];
    const intent: Intent = {
      ...body,
      id: `pi_${randomText(24)}`,
      status: 'require_payment_method',
      payment: null,
      created_at: Math.floor(Date.now() / 1_000),
    };
    this.intents.set(intent.id, intent);
    return [200, wire(intent)];
  }
}

const VERBS: Readonly<Record<string, Verb>> = {
  'POST capture': 'capture',
  'POST refund': 'refund',
  'GET payments': 'attempts',
  'GET refunds': 'refunds',
  'GET disputes': 'disputes',
};

const route = (request: IncomingMessage): { verb: Verb; id: string; orderId: string } => {
  const url = new URL(request.url ?? '/', 'http://provider');
  const [, id = '', last] = /payment_intents\/([^/]*)(?:\/(\w+))?/.exec(url.pathname) ?? [];
  if (url.pathname === '/v2/payments') {
    return { verb: 'debits', id: url.search, orderId: '' };
  }
  const orderId = url.searchParams.get('order_id') ?? '';
  const { method = 'GET' } = request;
  const own = VERBS[`${method} ${last ?? ''}`];
  if (own !== undefined) return { verb: own, id, orderId };
  if (method === 'POST') return { verb: 'create', id, orderId };
  if (method === 'PATCH') return { verb: 'debit', id, orderId };
  if (method === 'DELETE') return { verb: 'cancel', id, orderId };
  return { verb: id === '' ? 'find' : 'get', id, orderId };
};

const range = (items: readonly unknown[]): object => ({
  start: 0,
  end: Math.max(0, items.length - 1),
  limit: 100,
  count: items.length,
  has_more: false,
});

const wire = (intent: Intent): object => ({ ...intent, url: `https://pay.example/${intent.id}` });

const wireAttempt = ({ mandate, ...attempt }: Attempt, intent?: Intent): object => ({
  amount: intent?.amount,
  currency: intent?.currency,
  payment_intent: intent?.id,
  order_id: intent?.order_id,
  unique_id: intent?.unique_id,
  created: secondsNow(),
  ...attempt,
  ...(mandate === undefined
    ? { method: 'card' }
    : { method: 'sepa', sepa: { id: mandate, last4: '0194', mandate: null } }),
});

const secondsNow = (): number => Math.floor(Date.now() / 1_000);

const PAYMENT = `paym_${randomText(24)}`;

const wireRefund = (refund: Refund): object => ({ ...refund, currency: 'eur', payout: null });

const wireDispute = (dispute: Dispute): object => ({
  ...dispute,
  currency: 'eur',
  created: secondsNow(),
  payout: null,
  fee: 1_500,
  response: dispute.type === 'chargeback' ? '4837' : 'MD06',
});

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};
