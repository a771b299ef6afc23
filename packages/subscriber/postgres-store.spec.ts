import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { PostgresStore } from './postgres-store.js';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

/**
 * The bytes that PostgreSQL sends when it ends a session immediately after its start: `ready` and
 * the termination error in one packet.
 */
const BEGUN_AND_ENDED = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('Z', Buffer.from('I')),
  message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1')),
]);

test('a database session that ends immediately after its start makes the transaction fail, and does not end the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(BEGUN_AND_ENDED));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'any', database: 'any', max: 1 });
  pool.on('error', () => undefined);
  const store = new PostgresStore(pool, 'any');
  const work = store.transaction({ streamType: 'order', streamId: 'ord_1' }, () =>
    Promise.resolve(),
  );
  await expect(work).rejects.toThrow();
  await pool.end();
  await new Promise((resolve) => server.close(resolve));
});
