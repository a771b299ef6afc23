import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { brokerSocket } from './broker-socket.js';

/** A suspended broker: the system accepts connections, but nothing responds or closes them. */
let suspended: Server;

beforeAll(async () => {
  suspended = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  suspended.listen(0, '127.0.0.1');
  await once(suspended, 'listening');
});
afterAll(() => suspended.close());

const connected = async (ssl: boolean) => {
  const { port } = suspended.address() as AddressInfo;
  const accepted = once(suspended, 'connection');
  const socket = brokerSocket({
    host: '127.0.0.1',
    port,
    ssl: ssl ? {} : (undefined as never),
    onConnect: () => undefined,
  });
  socket.on('error', () => undefined);
  await accepted;
  return socket;
};

test.each([
  ['plain text', false],
  ['TLS', true],
])(
  'a connection with %s to a suspended broker is closed after kafkajs has ended it',
  async (_, ssl) => {
    const socket = await connected(ssl);
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(10_000) });
    socket.end();
    await closed;
    expect(socket.destroyed).toBe(true);
  },
);
