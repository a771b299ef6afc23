import Fastify from 'fastify';
import { Pool } from 'pg';

/** The yardstick of R4 as a separate process: one Fastify route that commits one insert. */
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
await pool.query(
  'CREATE TABLE IF NOT EXISTS bare_orders (id text PRIMARY KEY, data jsonb NOT NULL)',
);

const app = Fastify({ logger: false });
app.post('/orders', async (request, reply) => {
  const id = crypto.randomUUID();
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bare_orders (id, data) VALUES ($1, $2)',
    values: [id, JSON.stringify(request.body)],
  });
  return reply.code(201).send({ id });
});
app.get('/health/ready', () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
