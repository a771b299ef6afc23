import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Inject, Injectable, Module } from '@nestjs/common';
import { type Clock, type Instant, parseInstant } from '#kernel';
import { BusinessClockModule, CLOCK, createLogger, IdleChecks, startHttpApp } from './index.js';

const logger = createLogger('spec', { level: 'silent' });
const NOW = '2030-01-01T00:00:00.000Z';
const NEXT = parseInstant('2030-01-09T00:00:00Z');

/** Simulated work that two components do in turn before it is finished. */
const hops = ['first', 'second'];

@Injectable()
class Busy {
  constructor(
    idle: IdleChecks,
    @Inject(CLOCK) readonly clock: Clock,
  ) {
    let checks = 0;
    idle.add({
      name: 'work',
      check: () => {
        const busy = hops[checks] ?? null;
        checks = Math.min(checks + 1, 3);
        return Promise.resolve({ busy, mark: String(checks), next: NEXT });
      },
    });
  }
}

/** Simulates the sandbox's clock, with which an app registers. */
const startClock = async (): Promise<{ server: Server; url: string; followers: string[] }> => {
  const followers: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST') followers.push((JSON.parse(body) as { url: string }).url);
      response.end(JSON.stringify({ now: NOW, rate: 1 }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/sandbox/clock`, followers };
};

const move = (url: string, now: Instant): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ now }),
  });

test('an app with CLOCK_URL registers with the clock at that URL, takes each new time from that clock, and responds when all due work is done', async () => {
  const followed = await startClock();
  process.env['CLOCK_URL'] = followed.url;
  @Module({ imports: [BusinessClockModule.forRoot()], providers: [Busy] })
  class App {}
  const running = await startHttpApp({
    name: 'spec',
    module: App,
    port: 0,
    logger,
    ownsProcess: false,
  });
  try {
    const clock = running.app.get<Clock>(CLOCK);
    expect(clock.now() >= NOW).toBe(true);
    while (followed.followers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(followed.followers).toEqual([`${running.url}/clock`]);

    const later = parseInstant('2030-01-08T00:00:00Z');
    const answer = await move(`${running.url}/clock`, later);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ next: NEXT });
    expect(clock.now() >= later).toBe(true);
    expect((await move(`${running.url}/clock`, 'soon' as Instant)).status).toBe(422);
  } finally {
    delete process.env['CLOCK_URL'];
    await running.close();
    followed.server.close();
  }
});

test('an app with an internal port lets its clock be moved only through that port', async () => {
  const followed = await startClock();
  process.env['CLOCK_URL'] = followed.url;
  @Module({ imports: [BusinessClockModule.forRoot()] })
  class App {}
  const running = await startHttpApp({
    name: 'spec',
    module: App,
    port: 0,
    internalPort: 0,
    logger,
    ownsProcess: false,
  });
  try {
    while (followed.followers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(followed.followers).toEqual([`${running.internalUrl}/clock`]);
    expect((await move(`${running.internalUrl}/clock`, NEXT)).status).toBe(200);
    expect((await move(`${running.url}/clock`, NEXT)).status).toBe(404);
  } finally {
    delete process.env['CLOCK_URL'];
    await running.close();
    followed.server.close();
  }
});

test('the time of an app without CLOCK_URL cannot be moved', async () => {
  @Module({ imports: [BusinessClockModule.forRoot()] })
  class App {}
  const running = await startHttpApp({
    name: 'spec',
    module: App,
    port: 0,
    logger,
    ownsProcess: false,
  });
  expect((await move(`${running.url}/clock`, NEXT)).status).toBe(404);
  await running.close();
});

test('the response to the clock at CLOCK_URL names the unfinished work if the work takes too long', async () => {
  const idle = new IdleChecks();
  idle.add({ name: 'calls', check: () => Promise.resolve({ busy: '3 open', mark: '3' }) });
  expect(await idle.untilIdle(20)).toEqual({ busy: 'calls: 3 open' });
});

test('an app does not report that it is idle while one component hands work to another', async () => {
  const idle = new IdleChecks();
  let mark = 0;
  idle.add({
    name: 'log',
    check: () => Promise.resolve({ busy: null, mark: String((mark += 1)) }),
  });
  expect(await idle.untilIdle(20)).toEqual({ busy: 'still moving' });
});

test('a move of the clock checks once for pending work if the app has done nothing since it was last idle, and otherwise twice', async () => {
  const idle = new IdleChecks();
  let [checks, runs] = [0, 0];
  idle.add({
    name: 'jobs',
    check: () => {
      checks += 1;
      return Promise.resolve({ busy: null, mark: String(runs) });
    },
  });
  const checksUntilIdle = async (): Promise<number> => {
    checks = 0;
    expect(await idle.untilIdle(20)).toEqual({ next: null });
    return checks;
  };
  expect(await checksUntilIdle()).toBe(2);
  expect(await checksUntilIdle()).toBe(1);
  runs += 1;
  expect(await checksUntilIdle()).toBe(2);
});

test('a stopping process responds immediately to a clock that waits for its work', async () => {
  const idle = new IdleChecks();
  idle.add({ name: 'calls', check: () => Promise.resolve({ busy: '3 open', mark: '3' }) });
  const waiting = idle.untilIdle(60_000);
  idle.onModuleDestroy();
  expect(await waiting).toEqual({ busy: 'the process is stopping' });
});
