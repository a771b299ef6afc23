import Fastify from 'fastify';
import { Pool } from 'pg';

/**
 * The reference program for `POST /v1/orders` in bench R4: a Fastify route that inserts as many
 * rows as the placement of an order, in one statement and without any logic. It runs as a separate
 * process.
 */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
await pool.query(`
  CREATE TABLE bare_events (stream text, version int, type text, data jsonb, PRIMARY KEY (stream, version));
  CREATE TABLE bare_sagas (key text PRIMARY KEY, state jsonb NOT NULL);
  CREATE TABLE bare_names (scope text, key text, holder text, PRIMARY KEY (scope, key));
  CREATE TABLE bare_answers (key text PRIMARY KEY, body jsonb NOT NULL);
  CREATE TABLE bare_jobs (kind text, key text, PRIMARY KEY (kind, key))`);

/**
 * Inserts the rows of a placed order: three events, a saga, a reserved reference, a stored response
 * and three jobs.
 */
const INSERT = `
  WITH saga AS (INSERT INTO bare_sagas VALUES ($1, $2::jsonb)),
       name AS (INSERT INTO bare_names VALUES ('order.reference', $1, $1)),
       answer AS (INSERT INTO bare_answers VALUES ($1, $2::jsonb)),
       jobs AS (INSERT INTO bare_jobs
                SELECT unnest('{create_intent,expire,read}'::text[]), $1)
  INSERT INTO bare_events
  SELECT $1, version, 'OrderPlaced', $2::jsonb FROM generate_series(1, 3) AS version`;

const app = Fastify({ logger: false });
app.post('/orders', async (request, reply) => {
  const id = crypto.randomUUID();
  await pool.query({
    name: 'insert',
    text: INSERT,
    values: [id, JSON.stringify(request.body)],
  });
  return reply.code(201).send({ id });
});
app.get('/health/ready', () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
