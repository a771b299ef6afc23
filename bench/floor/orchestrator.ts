import Fastify, { type FastifyReply } from 'fastify';
import { Kafka, logLevel } from 'kafkajs';
import { Pool as Database } from 'pg';
import { Pool as Http } from 'undici';
// Imported for its effect: stops kafkajs's timer of one millisecond, as in the product.
import '#kafka';

/**
 * The reference program for the orchestrator in bench F (see floor.ts). It makes the HTTP requests,
 * rows and commits of whole orders in one process. It validates, retries and caches nothing, does
 * not group commits, and has no idempotency keys.
 */
const env = (name: string): string => process.env[name] ?? '';
const database = new Database({ connectionString: env('DATABASE_URL'), max: 20 });
const provider = new Http(env('PROVIDER_URL'), { connections: 32, pipelining: 1 });
const kafka = new Kafka({
  clientId: 'floor',
  brokers: env('BROKERS').split(','),
  logLevel: logLevel.ERROR,
});
const producer = kafka.producer({ allowAutoTopicCreation: false });
const PUBLISH_EVERY_MS = 25;

database.on('error', () => undefined);
await database.query(`
  CREATE TABLE orders (id text PRIMARY KEY, status text NOT NULL, intent_id text, data json NOT NULL);
  CREATE TABLE events (tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
                       position bigint GENERATED ALWAYS AS IDENTITY,
                       order_id text NOT NULL, type text NOT NULL, data json NOT NULL,
                       PRIMARY KEY (tx, position));
  CREATE TABLE jobs (order_id text NOT NULL, kind text NOT NULL, state text NOT NULL,
                     PRIMARY KEY (order_id, kind));
  CREATE TABLE webhooks (id text PRIMARY KEY, data json NOT NULL)`);
await producer.connect();

const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<object> => {
  const answer = await provider.request({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.body.json()) as object;
};

/** The open event-stream response of each order, by order id. */
const streams = new Map<string, FastifyReply>();
const missed = new Map<string, string[]>();

const show = (orderId: string, type: string, data: object): void => {
  const frame = `event: ${type}\ndata: ${JSON.stringify({ type, data })}\n\n`;
  const stream = streams.get(orderId);
  if (stream) stream.raw.write(frame);
  else missed.set(orderId, [...(missed.get(orderId) ?? []), frame]);
};

const EVENTS = (types: string): string =>
  `INSERT INTO events (order_id, type, data) SELECT $1, unnest('{${types}}'::text[]), $2::json`;
const PLACE = `
  WITH placed AS (INSERT INTO orders (id, status, data) VALUES ($1, 'placed', $2::json)),
       job AS (INSERT INTO jobs VALUES ($1, 'create_intent', 'ready'))
  ${EVENTS('OrderPlaced,OrderPaymentStarted,IntentRequested')}`;
const CLAIM = `UPDATE jobs SET state = 'running' WHERE order_id = $1 AND kind = $2`;
const CREATED = `
  WITH changed AS (UPDATE orders SET intent_id = $2::json ->> 'id' WHERE id = $1),
       job AS (UPDATE jobs SET state = 'done' WHERE order_id = $1 AND kind = 'create_intent')
  ${EVENTS('IntentCreated')}`;
const AUTHORIZED = `
  WITH changed AS (UPDATE orders SET status = 'authorized' WHERE id = $1),
       job AS (INSERT INTO jobs VALUES ($1, 'capture', 'ready'))
  ${EVENTS('PageFinished,PaymentAuthorized,OrderAuthorized,CaptureRequested')}`;
const PAID = `
  WITH changed AS (UPDATE orders SET status = 'paid' WHERE id = $1),
       job AS (UPDATE jobs SET state = 'done' WHERE order_id = $1 AND kind = 'capture')
  ${EVENTS('CaptureAccepted,OrderPaid')}`;

const commit = (name: string, text: string, values: readonly unknown[]) =>
  database.query({ name, text, values: [...values] });

const createIntent = async (id: string): Promise<void> => {
  await commit('claim', CLAIM, [id, 'create_intent']);
  const intent = await ask('POST', '/intents', { orderId: id, amountMinor: 1250 });
  await commit('created', CREATED, [id, JSON.stringify(intent)]);
  show(id, 'IntentCreated', intent);
};

const capture = async (id: string, intentId: string): Promise<void> => {
  await commit('claim', CLAIM, [id, 'capture']);
  await ask('GET', `/intents/${intentId}`);
  const captured = await ask('POST', `/intents/${intentId}/capture`, {});
  await commit('paid', PAID, [id, JSON.stringify(captured)]);
  show(id, 'OrderPaid', captured);
};

const app = Fastify({ logger: false });
app.post('/orders', async (request, reply) => {
  const id = `ord_${crypto.randomUUID()}`;
  await commit('place', PLACE, [id, JSON.stringify(request.body)]);
  void createIntent(id);
  return reply.code(201).send({ id });
});
app.get<{ Params: { id: string } }>('/orders/:id/events', (request, reply) => {
  const { id } = request.params;
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of missed.get(id) ?? []) reply.raw.write(frame);
  missed.delete(id);
  streams.set(id, reply);
  reply.raw.on('close', () => streams.delete(id));
});
app.post<{ Params: { id: string }; Body: { intentId: string } }>(
  '/orders/:id/refresh',
  async (request, reply) => {
    const { id } = request.params;
    const { intentId } = request.body;
    const intent = await ask('GET', `/intents/${intentId}`);
    await commit('authorized', AUTHORIZED, [id, JSON.stringify(intent)]);
    void capture(id, intentId);
    return reply.send({ id, status: 'authorized' });
  },
);
app.post<{ Body: { id: string } }>('/webhooks', async (request, reply) => {
  await commit('webhook', 'INSERT INTO webhooks VALUES ($1, $2)', [
    request.body.id,
    JSON.stringify(request.body),
  ]);
  return reply.code(204).send();
});
app.get('/health/ready', () => ({ status: 'ok' }));

/**
 * Selects only events of transactions that are older than every open transaction. If events were
 * selected by position alone, an event could be skipped whose transaction commits late.
 */
const NEXT = `
  SELECT tx::text, position, order_id, type, data FROM events
   WHERE (tx, position) > ($1::xid8, $2) AND tx < pg_snapshot_xmin(pg_current_snapshot())
   ORDER BY tx, position LIMIT 500`;
let published = { tx: '0', position: '0' };
const publish = async (): Promise<void> => {
  const { rows } = await database.query<{ tx: string; position: string; order_id: string }>({
    name: 'read',
    text: NEXT,
    values: [published.tx, published.position],
  });
  if (rows.length === 0) return;
  const messages = rows.map((row) => ({ key: row.order_id, value: JSON.stringify(row) }));
  await producer.sendBatch({ acks: -1, topicMessages: [{ topic: env('TOPIC'), messages }] });
  published = rows.at(-1) ?? published;
};
const publishing = async (): Promise<void> => {
  await publish();
  setTimeout(() => void publishing(), PUBLISH_EVERY_MS);
};

await app.listen({ host: '127.0.0.1', port: Number(env('PORT')) });
void publishing();
