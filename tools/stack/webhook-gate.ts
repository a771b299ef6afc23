import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

/**
 * What the proxy does with a webhook. `lost`: acknowledges the webhook to the sandbox and drops it.
 * `falsified`: first sends a request with the webhook's signature and other content, and then the
 * webhook.
 */
export type WebhookFate = 'through' | 'lost' | 'twice' | 'late' | 'falsified';

/** The apis' responses to webhooks whose content does not match their signature. */
export interface FalsifiedWebhooks {
  readonly accepted: number;
  readonly refused: number;
}

const LATE_MS = 1_500;
const FORWARD_WITHIN_MS = 5_000;

/** The webhook with a false status, or with an additional byte if it has no status. */
const falsified = (body: Buffer): Buffer => {
  const text = body.toString();
  const other = text.replace(/("status":\s*)"[^"]*"/, '$1"falsified"');
  return Buffer.from(other === text ? `${text} ` : other);
};

const bytesOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/**
 * A proxy between the provider and the apis. It forwards webhooks unchanged to the apis in turn,
 * even to a killed api. At random it loses, duplicates, delays or falsifies webhooks. Delayed
 * webhooks arrive out of order.
 */
export class WebhookGate {
  private targets: readonly string[] = [];
  private turn = 0;
  private readonly agent: Agent;
  readonly count: Record<WebhookFate, number> = {
    through: 0,
    lost: 0,
    twice: 0,
    late: 0,
    falsified: 0,
  };
  private readonly answered = { accepted: 0, refused: 0 };

  private constructor(
    private readonly server: Server,
    ca: string,
    private fateOf: () => WebhookFate,
  ) {
    this.agent = new Agent({ connect: { ca } });
    server.on('request', (incoming: IncomingMessage, outgoing) => {
      this.take(incoming).then(
        (status) => outgoing.writeHead(status).end(),
        () => outgoing.writeHead(502).end(), // No api responds: the provider will retry.
      );
    });
  }

  static async start(
    tls: { readonly certFile: string; readonly keyFile: string; readonly caFile: string },
    fateOf: () => WebhookFate = () => 'through',
  ): Promise<WebhookGate> {
    const [cert, key, ca] = [tls.certFile, tls.keyFile, tls.caFile].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WebhookGate(server, ca ?? '', fateOf);
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the webhook URLs of the apis, which are used in turn. */
  forwardTo(targets: readonly string[]): void {
    this.targets = targets;
  }

  /** Sets the function that decides the fate of each webhook. */
  setFate(fateOf: () => WebhookFate): void {
    this.fateOf = fateOf;
  }

  get falsified(): FalsifiedWebhooks {
    return { ...this.answered };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.agent.destroy();
  }

  private async take(incoming: IncomingMessage): Promise<number> {
    const body = await bytesOf(incoming);
    const fate = this.fateOf();
    this.count[fate] += 1;
    if (fate === 'lost') return 204;
    if (fate === 'twice') await this.forward(incoming, body);
    if (fate === 'falsified') {
      const status = await this.forward(incoming, falsified(body));
      if (status === 401) this.answered.refused += 1;
      else if (status < 300) this.answered.accepted += 1;
    }
    if (fate === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return this.forward(incoming, body);
  }

  private async forward({ url = '/', headers }: IncomingMessage, body: Buffer): Promise<number> {
    const target = this.targets[this.turn % this.targets.length] ?? '';
    this.turn += 1;
    const answer = await request(`${target}${url}`, {
      method: 'POST',
      dispatcher: this.agent,
      body,
      headers: {
        'content-type': String(headers['content-type']),
        'service-signature': String(headers['service-signature']),
      },
      signal: AbortSignal.timeout(FORWARD_WITHIN_MS),
    });
    await answer.body.dump();
    return answer.statusCode;
  }
}
