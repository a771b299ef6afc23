import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { programFile } from './infra/programs.mjs';

/** A process that prints its port, and responds to the health check with a given status. */
const SERVER = `
  const server = require('node:http').createServer((request, response) => {
    response.writeHead(request.url === '/health/ready' ? Number(process.argv[1]) : 404).end();
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const started = async (status: number) => {
  const server = spawn(process.execPath, ['-e', SERVER, String(status)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  return { port: port.trim(), id: String(server.pid), stop: () => server.kill() };
};

const health = (where: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programFile('health'), where], {
    encoding: 'utf8',
  });
  return { status, said: `${stdout}${stderr}`.trim() };
};

test('the health check finds an app by its port, and by its process', async () => {
  const [ready, other] = await Promise.all([started(200), started(503)]);
  try {
    for (const where of [ready.port, `process:${ready.id}`]) {
      expect(health(where)).toEqual({ status: 0, said: '200' });
    }
    for (const where of [other.port, `process:${other.id}`]) {
      expect(health(where)).toEqual({ status: 1, said: '503' });
    }
  } finally {
    ready.stop();
    other.stop();
  }
});

test('the health check fails for a process that listens on no port', () => {
  expect(health(`process:${process.ppid}`)).toMatchObject({ status: 1 });
  expect(health('worker')).toEqual({ status: 2, said: 'usage: health <port>|process:<id>' });
});
