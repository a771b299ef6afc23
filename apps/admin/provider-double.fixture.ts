import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId } from '#kernel';

type Json = Readonly<Record<string, unknown>>;

/**
 * A double of the provider: an HTTP server with the routes that the admin app calls, whose
 * responses a spec sets.
 */
export class ProviderDouble {
  intent: Json | null = null;
  attempts: readonly Json[] = [];
  refunds: readonly Json[] = [];
  readonly asked: string[] = [];
  /** Awaited before each response; a returned number replaces the response's status. */
  before: (url: string) => Promise<number | null> = () => Promise.resolve(null);

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response) => {
      request.resume().on('end', () => {
        this.asked.push(`${request.method} ${request.url}`);
        void this.before(request.url ?? '').then((failure) => {
          const [status, body] = failure === null ? this.answer(request) : [failure, {}];
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
        });
      });
    });
  }

  static async start(): Promise<ProviderDouble> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ProviderDouble(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private answer({ method, url = '' }: IncomingMessage): readonly [number, unknown] {
    const range = { start: 0, end: 0, limit: 100, count: 1, has_more: false };
    if (url.startsWith('/v2/webhooks')) {
      return method === 'GET'
        ? [200, { webhook_endpoints: [], range }]
        : [
            200,
            { id: newId('we'), url: 'https://api.test', enabled: true, secret: 'ab'.repeat(32) },
          ];
    }
    if (url.includes('/payments')) return [200, { payments: this.attempts, range }];
    if (url.includes('/refunds')) return [200, { refunds: this.refunds, range }];
    if (url.includes('/disputes')) return [200, { disputes: [], range }];
    return this.intent === null ? [404, { error: 'not found' }] : [200, this.intent];
  }
}
