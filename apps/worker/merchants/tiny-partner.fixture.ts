import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, randomText } from '#kernel';
import { type ModelCompany, PartnerModel, STATUS_AT_PROVIDER } from './partner-model.fixture.js';

export type Verb =
  | 'create'
  | 'read'
  | 'history'
  | 'progress'
  | 'keys'
  | 'order'
  | 'list'
  | 'cancel'
  | 'endpoints';

/**
 * The faults of a request. `reset` and `half` occur after the request was executed, all other
 * faults before.
 */
export type Fault = 'reset' | 'half' | 'reset_before' | 'status_500' | { readonly refuse: Refusal };

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly fields?: readonly string[];
}

type Answer = readonly [status: number, body: unknown];

const refusal = ({ status, type, fields }: Refusal): Answer => [
  status,
  {
    message: type,
    type,
    ...(fields === undefined ? {} : { errors: fields.map((field) => ({ field, message: 'no' })) }),
  },
];

const NOT_ALLOWED = refusal({ status: 409, type: 'not-allowed' });

/** The fields that the simulated partner API reads from a request to create a company. */
interface CreationBody {
  readonly user: { readonly contact: { readonly email: string } };
  readonly 'legal-id': string;
}

/**
 * A small onboarding API over real HTTP: it succeeds unless a fault is set, and records its calls.
 */
export class TinyPartner {
  readonly model: PartnerModel;
  readonly asked: Verb[] = [];
  /** Extra rows in every response of the history. */
  oddRows: readonly unknown[] = [];
  /** Called after a request had its effect, before the response. */
  after: (verb: Verb) => Promise<void> | void = () => {};
  /** The prefixes of all API keys; the key of a company is the prefix and the company's id. */
  readonly keys = { test: `stest_${randomText(24)}`, live: `sprod_${randomText(24)}` };
  /** The webhook endpoints, newest first, each with the key that created it. */
  private endpoints: { readonly key: string; readonly endpoint: object }[] = [];
  private faults: { verb: Verb; fault: Fault }[] = [];

  private constructor(
    private readonly server: Server,
    clock: Clock,
  ) {
    this.model = new PartnerModel(clock);
  }

  static async start(clock: Clock): Promise<TinyPartner> {
    const server = createServer();
    const partner = new TinyPartner(server, clock);
    server.on('request', (request, response) => void partner.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return partner;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  failNext(verb: Verb, fault: Fault, times = 1): void {
    for (let time = 0; time < times; time += 1) this.faults.push({ verb, fault });
  }

  count(verb: Verb): number {
    return this.asked.filter((one) => one === verb).length;
  }

  companies(): readonly ModelCompany[] {
    return [...this.model.companies.values()];
  }

  /** Removes all faults. */
  stopFailing(): void {
    this.faults = [];
    this.oddRows = [];
    this.after = () => {};
  }

  reset(): void {
    this.stopFailing();
    this.model.companies.clear();
    this.asked.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    const verb = verbOf(request.method ?? '', url.pathname);
    this.asked.push(verb);
    const index = this.faults.findIndex((planned) => planned.verb === verb);
    const fault = index === -1 ? null : (this.faults.splice(index, 1)[0]?.fault ?? null);
    if (fault === 'reset_before') return void response.socket?.resetAndDestroy();
    const [status, body] =
      fault === 'status_500'
        ? refusal({ status: 500, type: 'error' })
        : typeof fault === 'object' && fault !== null
          ? refusal(fault.refuse)
          : verb === 'endpoints'
            ? this.endpointsAnswer(request, Buffer.concat(chunks).toString())
            : this.work(verb, url.searchParams, Buffer.concat(chunks).toString());
    await this.after(verb);
    if (fault === 'reset') return void response.socket?.resetAndDestroy();
    const text = JSON.stringify(body);
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (fault !== 'half') return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy());
  }

  private work(verb: Exclude<Verb, 'endpoints'>, query: URLSearchParams, body: string): Answer {
    const company = this.model.companies.get(query.get('company') ?? query.get('id') ?? '');
    switch (verb) {
      case 'create': {
        const { user, 'legal-id': registrationNumber } = JSON.parse(body) as CreationBody;
        const made = this.model.create({ email: user.contact.email, registrationNumber });
        return made ? [200, this.wire(made)] : refusal({ status: 409, type: 'email-unavailable' });
      }
      case 'history':
        return [
          200,
          [
            ...this.oddRows,
            ...this.model.history(query.get('since') ?? '', query.get('until') ?? ''),
          ],
        ];
      case 'read':
      case 'progress':
      case 'keys':
      case 'order':
      case 'list':
      case 'cancel':
        return company === undefined
          ? refusal({ status: 404, type: 'not-found' })
          : this.ofCompany(verb, company, query);
    }
  }

  private ofCompany(
    verb: 'read' | 'progress' | 'keys' | 'order' | 'list' | 'cancel',
    company: ModelCompany,
    query: URLSearchParams,
  ): Answer {
    const status = STATUS_AT_PROVIDER[this.model.statusOf(company.id)];
    const { terminals } = company;
    switch (verb) {
      case 'read':
        return [200, this.wire(company)];
      case 'progress': {
        const steps = [
          { code: 'company', complete: false, missing: ['iban'] },
          { code: 'documents', complete: false, missing: ['kbis', 'iban'] },
        ];
        return [200, { company: company.id, status, steps, percent: 40 }];
      }
      case 'keys':
        return status === 'available'
          ? [200, { test: this.keys.test + company.id, live: this.keys.live + company.id }]
          : NOT_ALLOWED;
      case 'list':
        return [200, terminals];
      case 'order': {
        const name = query.get('name') ?? '';
        terminals.push({ id: `term_${randomText(24)}`, name, status: 'pendingOrder' });
        return [200, terminals.at(-1)];
      }
      case 'cancel': {
        const terminal = terminals.find(({ id }) => id === query.get('payment-terminal'));
        if (terminal?.status !== 'pendingOrder') return NOT_ALLOWED;
        terminal.status = 'orderCancelled';
        return [200, terminal];
      }
    }
  }

  /** Lists the endpoints that were created with the caller's key. */
  private endpointsAnswer({ method, headers }: IncomingMessage, body: string): Answer {
    const key = headers.authorization ?? '';
    if (method === 'GET') {
      const own = this.endpoints.filter((one) => one.key === key).map(({ endpoint }) => endpoint);
      return [200, { webhook_endpoints: own, range: { has_more: false } }];
    }
    const { url } = JSON.parse(body) as { url: string };
    const endpoint = { id: `we_${randomText(8)}`, url, enabled: true, secret: '0a'.repeat(32) };
    this.endpoints = [{ key, endpoint }, ...this.endpoints];
    return [200, endpoint];
  }

  private wire({ id, account, email, legalId }: ModelCompany): object {
    const contact = { email, phone: null, lang: null };
    return {
      company: {
        id,
        status: STATUS_AT_PROVIDER[this.model.statusOf(id)],
        'legal-id': legalId,
        'legal-name': 'Atelier',
        accounts: [{ id: account, name: 'Atelier', created: '2030-03-01' }],
        contact: { ...contact, name: 'Atelier' },
        'enabled-services': [],
        documents: [],
        owners: [],
        representatives: [],
      },
      'documents-to-upload': { 'company-documents': [], 'identity-documents': [] },
      user: {
        id: `user_${randomText(24)}`,
        username: 'camille',
        contact,
        person: { id: `pers_${randomText(24)}`, 'first-name': 'Camille', 'last-name': 'Martin' },
      },
    };
  }
}

const verbOf = (method: string, path: string): Verb => {
  if (path.includes('/webhooks')) return 'endpoints';
  if (path.endsWith('/company-status-history')) return 'history';
  if (path.endsWith('/registration-progress')) return 'progress';
  if (path.endsWith('/company-keys')) return 'keys';
  if (path.endsWith('/cancel-payment-terminal-order')) return 'cancel';
  if (path.endsWith('/payment-terminal')) return method === 'POST' ? 'order' : 'list';
  return method === 'POST' ? 'create' : 'read';
};
