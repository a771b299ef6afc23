import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Behaviour = (response: ServerResponse, request: SeenRequest) => void;

/** An HTTP server that responds to each request as the test specifies, and records the requests. */
export class MisbehavingServer {
  readonly requests: SeenRequest[] = [];
  connections = 0;
  #queue: Behaviour[] = [];
  #always: Behaviour = json(500, { error: 'no behaviour set' });

  private constructor(private readonly server: Server) {
    server.on('connection', () => {
      this.connections += 1;
    });
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const seen = {
          method: request.method ?? '',
          url: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(chunks).toString(),
        };
        this.requests.push(seen);
        (this.#queue.shift() ?? this.#always)(response, seen);
      });
    });
  }

  static async start(): Promise<MisbehavingServer> {
    const server = createServer({ keepAliveTimeout: 5_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new MisbehavingServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  always(behaviour: Behaviour): void {
    this.#queue = [];
    this.#always = behaviour;
    this.requests.length = 0;
  }

  first(...behaviours: Behaviour[]): void {
    this.#queue = behaviours;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Behaviour =>
  raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

export const raw =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>>): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** Receives the request and never responds. */
export const silence: Behaviour = () => {};

/** Receives the request and closes the connection. */
export const reset: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Begins a response and never ends it. */
export const stall: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
};

/** Announces the length of a response and closes the connection before its end. */
export const resetMidBody: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":', () => response.socket?.resetAndDestroy());
};
