import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LogCursor } from '#log';
import { firstRow } from '#platform';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { assert } from '#kernel';
import { waitFor } from '#testing';
import type { Platform } from '../stack/platform.js';
import type { Stack } from '../stack/stack.js';
import { type Random, randomFrom } from './random.js';

/** A webhook that the platform's endpoint has handled. */
export interface HandledWebhook {
  readonly eventId: string;
  readonly streamId: string;
  readonly version: number;
}

/** The webhooks that the platform received at its endpoint. */
export interface PlatformWebhookFacts {
  readonly endpointId: string;
  /**
   * The log position after which the endpoint receives events. It is before the creation of the
   * endpoint, because transactions that were open at that time may have committed events later.
   */
  readonly start: LogCursor;
  /** The handled webhooks in order, including repetitions. */
  readonly handled: readonly HandledWebhook[];
  /** The number of requests that the endpoint answered with an error without handling the event. */
  readonly refused: number;
  /**
   * The number of requests whose event was handled before the connection broke without a response.
   */
  readonly unanswered: number;
  /** The ids of requests with a wrong signature. */
  readonly unsigned: readonly string[];
}

const RATES = { refused: 0.08, unanswered: 0.04 };
const AT_REST_WITHIN_MS = 120_000;

const START = `
  SELECT epoch, transaction_id::text AS "transactionId", '0' AS position
    FROM webhook_endpoints WHERE id = $1`;

/** Selects the platform's events that no delivery has sent successfully to the endpoint. */
const MISSING = `
  SELECT FROM events e
   WHERE e.metadata ->> 'platformId' = (SELECT platform_id FROM webhook_endpoints WHERE id = $1)
     AND (e.epoch, e.transaction_id) >= (SELECT epoch, transaction_id FROM webhook_endpoints WHERE id = $1)
     AND e.stream_id <> $1
     AND NOT EXISTS (SELECT FROM webhook_deliveries d
                      WHERE d.endpoint_id = $1 AND d.event_id = e.event_id
                        AND d.state = 'delivered')
   LIMIT 1`;

/**
 * Waits until every event of the platform was delivered to the endpoint, or the time limit is
 * reached; returns the position after which the endpoint receives the events.
 */
export const deliveredTo = async (database: string, endpointId: string): Promise<LogCursor> => {
  const pool = new pg.Pool({ connectionString: database, max: 1 });
  try {
    const isDone = async () => (await pool.query(MISSING, [endpointId])).rows.length === 0;
    await waitFor(isDone, { timeoutMs: AT_REST_WITHIN_MS, everyMs: 200 }).catch(() => undefined);
    const start = await firstRow<LogCursor>(pool, { text: START, values: [endpointId] });
    assert(start, 'the endpoint was created');
    return start;
  } finally {
    await pool.end();
  }
};

/**
 * A platform's webhook endpoint. At random, determined by a seed, it refuses requests, or breaks
 * the connection after it has handled the event.
 */
export class PlatformWebhooks {
  private readonly handled: HandledWebhook[] = [];
  private readonly unsigned: string[] = [];
  private refused = 0;
  private unanswered = 0;
  private endpointId = '';
  private verifier: Webhook | null = null;

  private constructor(
    private readonly server: Server,
    private readonly random: Random,
  ) {
    server.on('request', (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (this.random.chance(RATES.refused)) {
          this.refused += 1;
          response.writeHead(503).end();
          return;
        }
        this.handle(request, Buffer.concat(chunks).toString());
        if (this.random.chance(RATES.unanswered)) {
          this.unanswered += 1;
          request.socket.destroy();
        } else response.writeHead(204).end();
      });
    });
  }

  /** Starts the receiver, and creates its endpoint through the API. */
  static async begin(platform: Platform, seed: number): Promise<PlatformWebhooks> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const webhooks = new PlatformWebhooks(server, randomFrom(seed, 'platform webhooks'));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
    const { body } = await platform.surely('POST', '/v1/webhook-endpoints', { url });
    webhooks.endpointId = String(body['id']);
    const path = `/v1/webhook-endpoints/${webhooks.endpointId}/secret`;
    const { body: details } = await platform.surely('GET', path);
    webhooks.verifier = new Webhook(String(details['secret']));
    return webhooks;
  }

  /** Waits until every event of the platform was delivered, or the time limit is reached. */
  async atRest({ databases }: Stack): Promise<PlatformWebhookFacts> {
    const start = await deliveredTo(databases.orchestrator, this.endpointId);
    const { endpointId, handled, refused, unanswered, unsigned } = this;
    return { endpointId, start, handled: [...handled], refused, unanswered, unsigned };
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private handle({ headers }: IncomingMessage, body: string): void {
    const id = String(headers['webhook-id']);
    try {
      this.verifier?.verify(body, headers as Record<string, string>);
    } catch {
      this.unsigned.push(id);
      return;
    }
    const event = JSON.parse(body) as { readonly subject: string; readonly sequence: string };
    this.handled.push({
      eventId: id,
      streamId: event.subject,
      version: Number(event.sequence),
    });
  }
}
