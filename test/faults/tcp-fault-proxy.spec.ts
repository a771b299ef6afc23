import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { type TcpFault, TcpFaultProxy } from './tcp-fault-proxy.js';

let echo: Server;
let proxy: TcpFaultProxy;

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => socket.write(bytes));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await TcpFaultProxy.start((echo.address() as AddressInfo).port);
});
afterAll(async () => {
  await proxy.end();
  await new Promise((resolve) => echo.close(resolve));
});

interface Answer {
  readonly text: string;
  readonly brokenBy: string | null;
  readonly afterMs: number;
}

/**
 * Connects through the proxy, applies the fault to the connection, sends `text`, and waits for the
 * response or the end of the connection.
 */
const ask = (text: string, fault: TcpFault | null): Promise<Answer> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: proxy.port });
    let got = '';
    let startedMs = 0;
    let broken: string | null = null;
    const done = (): void => {
      resolve({ text: got, brokenBy: broken, afterMs: performance.now() - startedMs });
      socket.destroy();
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      broken = error.code ?? 'error';
    });
    socket.on('close', done);
    socket.on('data', (bytes: Buffer) => {
      got += bytes.toString();
      // The server's greeting, one letter, shows that the connection works before the fault is
      // applied.
      if (got === '-') {
        startedMs = performance.now();
        if (fault !== null) proxy.meet(fault);
        got = '';
        socket.write(text);
      } else if (got.length === text.length) done();
    });
    socket.write('-');
  });

const TEXT = 'a direct debit of 12.50 eur, '.repeat(20);

test('without a fault, the proxy forwards everything', async () => {
  expect(await ask(TEXT, null)).toMatchObject({ text: TEXT, brokenBy: null });
});

test('the fault `latency` delays the response', async () => {
  const { text, afterMs } = await ask(TEXT, 'latency');
  expect(text).toBe(TEXT);
  expect(afterMs).toBeGreaterThan(100);
});

test('the fault `trickle` delivers the whole response slowly', async () => {
  const { text, afterMs } = await ask(TEXT, 'trickle');
  expect(text).toBe(TEXT);
  expect(afterMs).toBeGreaterThan(100);
});

test('the fault `cut` ends the connection in the middle of the response', async () => {
  const { text } = await ask(TEXT, 'cut');
  expect(TEXT.startsWith(text)).toBe(true);
  expect(text.length).toBeLessThan(TEXT.length);
});

test('the fault `reset` resets the connection before the response', async () => {
  expect(await ask(TEXT, 'reset')).toMatchObject({ text: '' });
});

test('the fault `black_hole` delivers nothing, and resets the connection after a delay', async () => {
  const { text, afterMs } = await ask(TEXT, 'black_hole');
  expect(text).toBe('');
  expect(afterMs).toBeGreaterThan(2_000);
});
