import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { JobTable } from '#jobs';
import { LogReader } from '#log';
import { newId, type Instant } from '#kernel';
import { merchantAggregate } from '#onboarding';
import { UPCASTERS } from '#orchestrator';
import { createLogger, GuardedPost, type HttpApp } from '#platform';
import {
  type EndpointCommand,
  endpointAggregate,
  newSecret,
  StoredEndpointDetails,
} from '#webhook';
import { kafkaBrokers, uniqueName, waitFor } from '#testing';
import { JobsBench } from '../jobs.fixture.js';
import { quiet, specSecretBox, specSecretsKey, WorkerBench } from '../worker.fixture.js';
import { startWorker } from '../worker-app.js';
import { DeliveryFeed } from './delivery-feed.js';
import { DeliveryJob } from './delivery-job.js';
import { OpenDeliveries } from './open-deliveries.js';
import { ResumeJob } from './resume-job.js';
import { SkipJob } from './skip-job.js';

/** A request that the receiver of a platform has received. */
interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly location?: string;
}

/**
 * The receiver of a platform. `answer` returns the response to a request; null: the receiver does
 * not respond.
 */
export class WebhookReceiver {
  readonly received: Received[] = [];
  answer: (request: Received) => Answer | null = () => ({ status: 204 });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = request.headers as Record<string, string>;
        const got = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() };
        receiver.received.push(got);
        const answer = receiver.answer(got);
        if (answer === null) return;
        const { status, body, location } = answer;
        response.writeHead(status, location === undefined ? {} : { location }).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Subject and event type of each received event, e.g. `mer_… MerchantDrafted`. */
  get events(): readonly string[] {
    return this.received.map(({ body }) => {
      const { subject, type } = JSON.parse(body) as { subject: string; type: string };
      return `${subject} ${type.replace(/^.*\./, '')}`;
    });
  }

  /** The versions of the received events of a subject. */
  sequence(subject: string): readonly number[] {
    return this.received
      .map(({ body }) => JSON.parse(body) as { subject: string; sequence: string })
      .filter((event) => event.subject === subject)
      .map((event) => Number(event.sequence));
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

/**
 * Selects the events that consumers of the log cannot see yet, because an older transaction is
 * open.
 */
const UNREADABLE = `
  SELECT FROM events WHERE transaction_id >= pg_snapshot_xmin(pg_current_snapshot())`;

interface NewEndpoint {
  readonly url: string;
  readonly platformId?: string;
  readonly eventTypes?: readonly string[];
  readonly merchantId?: string | null;
}

/** A worker that sends webhooks only when the spec calls `send`. */
export class DeliveriesBench {
  readonly feed: DeliveryFeed;
  readonly jobs: JobsBench;
  readonly details: StoredEndpointDetails;
  /** The lines that the job has logged. */
  readonly logged: string[] = [];
  readonly post = new GuardedPost({
    timeoutMs: 60_000,
    allowsLoopback: true,
    allowsHttp: true,
  });

  private constructor(readonly worker: WorkerBench) {
    this.details = new StoredEndpointDetails(worker.admin, specSecretBox);
    this.feed = this.newFeed();
    this.jobs = this.newJobs(this.post);
  }

  static async open(): Promise<DeliveriesBench> {
    return new DeliveriesBench(await WorkerBench.open('http://127.0.0.1:9'));
  }

  newFeed(): DeliveryFeed {
    const { pool } = this.worker;
    return new DeliveryFeed(pool, new LogReader(pool, UPCASTERS), () => undefined);
  }

  newJobs(
    post: Pick<GuardedPost, 'send'>,
    nowMs?: () => number,
    deliveries = new OpenDeliveries(this.worker.pool, this.details),
  ): JobsBench {
    const { pool, store, clock } = this.worker;
    const table = new JobTable(pool);
    const destination = { write: (line: string) => void this.logged.push(line) };
    const logger = createLogger('spec', { destination });
    return new JobsBench(
      this.worker,
      new DeliveryJob(store, deliveries, table, post, clock, logger, nowMs),
      new ResumeJob(pool, clock, () => undefined, { streams: 2, perRun: 2 }),
      new SkipJob(pool, clock, { deliveries: 2, perRun: 2 }),
    );
  }

  async endpoint({
    url,
    platformId = 'shop',
    eventTypes = ['*'],
    merchantId = null,
  }: NewEndpoint): Promise<string> {
    // A new endpoint also receives earlier events that the readers of the log cannot see yet. This
    // endpoint must receive only later events, so it is created when all events can be read.
    await this.readable();
    const id = newId('whe');
    const detailsRef = await this.details.keep(id, { url, secret: newSecret() });
    const terms = { host: new URL(url).host, eventTypes, merchantId, detailsRef };
    await this.command(id, { type: 'CreateEndpoint', platformId, ...terms, at: this.now });
    return id;
  }

  async rotateSecret(id: string, url: string): Promise<void> {
    const detailsRef = await this.details.keep(id, { url, secret: newSecret() });
    await this.command(id, {
      type: 'RotateSecret',
      detailsRef,
      revokesFormer: false,
      at: this.now,
    });
  }

  /** Changes the URL of an endpoint, as the api does. */
  async move(id: string, url: string): Promise<void> {
    const [secret = ''] = await this.secrets(id);
    const detailsRef = await this.details.keep(id, { url, secret });
    const terms = { host: new URL(url).host, eventTypes: ['*'], merchantId: null, detailsRef };
    await this.command(id, { type: 'ChangeEndpoint', ...terms, at: this.now });
  }

  async command(id: string, command: EndpointCommand): Promise<void> {
    const { store } = this.worker;
    await store.execute(endpointAggregate, id, command, this.worker.metadata(id));
  }

  get now(): Instant {
    return this.worker.clock.now();
  }

  /** Creates a merchant as a draft, which writes one event. */
  async draft(platformId = 'shop'): Promise<string> {
    const id = newId('mer');
    await this.worker.store.execute(
      merchantAggregate,
      id,
      {
        type: 'DraftMerchant',
        platformId,
        reference: id,
        mode: 'test',
        firstTerminal: null,
        detailsRef: newId('det'),
        at: this.now,
      },
      this.worker.metadata(id),
    );
    return id;
  }

  /** Writes a further event of the merchant. */
  async revise(id: string): Promise<void> {
    const command = {
      type: 'ReviseDetails',
      detailsRef: newId('det'),
      fields: ['owners'],
    } as const;
    await this.worker.store.execute(
      merchantAggregate,
      id,
      { ...command, at: this.now },
      this.worker.metadata(id),
    );
  }

  /** Waits until all events can be read: open transactions of other specs delay the reader. */
  async readable(): Promise<void> {
    await waitFor(async () => (await this.worker.rows(UNREADABLE)).length === 0);
  }

  /** Queues the deliveries of all events, and runs jobs until none is due. */
  async send(): Promise<void> {
    await this.readable();
    while ((await this.feed.round()) === 'more');
    await this.jobs.drain();
  }

  /**
   * Queues the deliveries of all events, and runs jobs; `action` runs once, after the first
   * request.
   */
  async sendDuring(action: () => Promise<unknown>): Promise<void> {
    await this.readable();
    await this.feed.round();
    let isFirst = true;
    const jobs = this.newJobs({
      send: async (...request) => {
        const result = await this.post.send(...request);
        if (isFirst) {
          isFirst = false;
          await action();
        }
        return result;
      },
    });
    await jobs.drain();
    jobs.stop();
  }

  /**
   * Queues the deliveries of all events, and runs jobs; `action` runs once, after the first result
   * was recorded.
   */
  async sendAndThen(action: () => Promise<unknown>): Promise<void> {
    await this.readable();
    await this.feed.round();
    const deliveries = new OpenDeliveries(this.worker.pool, this.details);
    const record = deliveries.record.bind(deliveries);
    deliveries.record = async (...result) => {
      deliveries.record = record;
      const recorded = await record(...result);
      await action();
      return recorded;
    };
    const jobs = this.newJobs(this.post, undefined, deliveries);
    await jobs.drain();
    jobs.stop();
  }

  /**
   * Queues the deliveries of all events, and runs jobs; `action` runs once, after a job found no
   * open delivery.
   */
  async sendAllAndThen(action: () => Promise<unknown>): Promise<void> {
    await this.readable();
    await this.feed.round();
    const deliveries = new OpenDeliveries(this.worker.pool, this.details);
    const head = deliveries.head.bind(deliveries);
    deliveries.head = async (...place) => {
      const found = await head(...place);
      if (found !== null) return found;
      deliveries.head = head;
      await action();
      return null;
    };
    const jobs = this.newJobs(this.post, undefined, deliveries);
    await jobs.drain();
    jobs.stop();
  }

  states(): Promise<readonly { readonly event: string; readonly state: string }[]> {
    return this.worker.rows(
      `SELECT stream_id || ' ' || event_type AS event, state FROM webhook_deliveries
        ORDER BY created_at, version`,
    );
  }

  /** The current and the former secret of an endpoint. */
  async secrets(id: string): Promise<readonly string[]> {
    const [row] = await this.worker.rows<{ refs: string[] }>(
      'SELECT ARRAY[details_ref, former_ref] AS refs FROM webhook_endpoints WHERE id = $1',
      id,
    );
    const refs = (row?.refs ?? []).filter(Boolean);
    const known = await Promise.all(refs.map((ref) => this.details.read(ref)));
    return known.map((details) => details?.secret ?? '');
  }

  async clear(): Promise<void> {
    await this.worker.admin.query(
      'TRUNCATE webhook_endpoints, webhook_details, webhook_deliveries, jobs, log_cursors',
    );
  }

  async close(): Promise<void> {
    this.jobs.stop();
    await this.post.close();
    await this.worker.close();
  }
}

/** A whole worker on the database of the bench, which sends webhooks until it is closed. */
export const startDelivering = ({ worker }: DeliveriesBench): Promise<HttpApp> => {
  process.env['KAFKA_BROKERS'] = kafkaBrokers().join(',');
  process.env['TOPIC_PREFIX'] = `${uniqueName('deliveries')}.`;
  const providerUrl = 'http://127.0.0.1:9';
  const config = {
    databaseUrl: worker.database.urlFor('worker'),
    webhooksToLoopback: true,
    port: 0,
    providerUrl,
    partnersUrl: providerUrl,
    manageUrl: providerUrl,
    partnerKeys: { test: null, live: null },
    readsPerMinute: 1,
    publicWebhookUrl: 'https://127.0.0.1',
    secretsKey: specSecretsKey,
  };
  return startWorker(config, { logger: quiet, ownsProcess: false });
};

/** Whether a library of the Standard Webhooks convention accepts the signature. */
export const isSigned = ({ body, headers }: Received, secret: string): boolean => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};
