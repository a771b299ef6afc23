import Fastify from 'fastify';
import { Pool as Database } from 'pg';
import { Pool as Http } from 'undici';

/**
 * The reference program for the provider in bench F (see floor.ts). It makes three commits and
 * sends six webhooks for each order, without any logic.
 */
const env = (name: string): string => process.env[name] ?? '';
const database = new Database({ connectionString: env('DATABASE_URL'), max: 12 });
const listener = new Http(env('WEBHOOK_URL'), { connections: 32, pipelining: 1 });
const SENT_AFTER_MS = 50;

database.on('error', () => undefined);
await database.query(
  'CREATE TABLE intents (id text PRIMARY KEY, status text NOT NULL, data json NOT NULL)',
);

const send = (intentId: string, ...types: readonly string[]): void => {
  setTimeout(() => {
    for (const type of types) {
      const body = JSON.stringify({ id: `evt_${crypto.randomUUID()}`, type, intentId });
      void listener
        .request({
          method: 'POST',
          path: '/webhooks',
          headers: { 'content-type': 'application/json' },
          body,
        })
        .then((answer) => answer.body.dump());
    }
  }, SENT_AFTER_MS);
};

const change = (id: string, status: string) =>
  database.query({
    name: 'change',
    text: 'UPDATE intents SET status = $2 WHERE id = $1',
    values: [id, status],
  });

const app = Fastify({ logger: false });
app.post('/intents', async (request) => {
  const id = `pi_${crypto.randomUUID()}`;
  await database.query({
    name: 'create',
    text: `INSERT INTO intents VALUES ($1, 'open', $2)`,
    values: [id, JSON.stringify(request.body)],
  });
  send(id, 'created');
  return { id, status: 'open', pageUrl: `${env('OWN_URL')}/intents/${id}` };
});
app.post<{ Params: { id: string } }>('/intents/:id/card', async ({ params: { id } }) => {
  await change(id, 'authorized');
  send(id, 'payment.created', 'payment.authorized', 'intent.authorized');
  return { status: 'authorized' };
});
app.get<{ Params: { id: string } }>('/intents/:id', async ({ params: { id } }) => {
  const { rows } = await database.query({
    name: 'intent',
    text: 'SELECT id, status, data FROM intents WHERE id = $1',
    values: [id],
  });
  return rows[0] as object;
});
app.post<{ Params: { id: string } }>('/intents/:id/capture', async ({ params: { id } }) => {
  await change(id, 'captured');
  send(id, 'payment.captured', 'intent.captured');
  return { id, status: 'captured' };
});
app.get('/health/ready', () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(env('PORT')) });
