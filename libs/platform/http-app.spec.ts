import { EventEmitter, once } from 'node:events';
import { Writable } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Body,
  Controller,
  Get,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  Param,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { type FastifyRequest } from 'fastify';
import { AssertionFailed, Rejection } from '#kernel';
import { developmentCertificate, freePort } from '#testing';
import { cutWhenIdle } from './drain.js';
import { createLogger, type HttpApp, startHttpApp } from './index.js';

const IBAN = 'FR7630006000011234567890189';
const CARD = '4242424242424242';

class Inner {
  @IsInt()
  size!: number;
}

class Input {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Inner)
  inner?: Inner;
}

class Filter {
  @IsOptional()
  @IsInt()
  @Type(() => Number)
  limit?: number;
}

@Controller('things')
class ThingsController {
  @Post()
  create(@Body() input: Input): unknown {
    if (input.name === 'refused') throw new Rejection('too_late', 'the order has ended');
    if (input.name === 'unmapped') throw new Rejection('odd', 'no');
    if (input.name === 'bug') throw new AssertionFailed('the secret cause');
    if (input.name === 'away') throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
    if (input.name === 'busy') throw Object.assign(new Error('x'), { code: '53300' });
    return { ok: input.inner instanceof Inner || input.name };
  }

  @Get()
  list(@Query() filter: Filter): unknown {
    return filter;
  }

  @Get(':id')
  read(@Param('id') id: string, @Req() request: FastifyRequest): unknown {
    return { id, trace: request.trace };
  }

  @Post('numbered')
  @RouteConfig({ longNumbers: new Set(['name']) })
  number(@Body() input: Input): unknown {
    return input;
  }

  @Post('raw')
  @RouteConfig({ rawBody: true })
  raw(@Req() request: FastifyRequest): unknown {
    return { bytes: Buffer.isBuffer(request.body) ? request.body.toString('hex') : 'not bytes' };
  }
}

@Controller('sandbox/clock')
class GuardedController {
  @Get()
  read(): string {
    return 'now';
  }
}

@Module({ controllers: [ThingsController, GuardedController] })
class ThingsModule {}

/**
 * Emits `arrived` for each slow request: a test must not stop the app before its request has
 * arrived.
 */
const slowArrivals = new EventEmitter();

@Controller('slow')
class SlowController {
  @Get()
  async wait(): Promise<string> {
    slowArrivals.emit('arrived');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return 'done';
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

let http: HttpApp;
const lines: string[] = [];

beforeAll(async () => {
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  http = await startHttpApp({
    name: 'things',
    module: ThingsModule,
    port: 0,
    ownsProcess: false,
    bodyLimitBytes: 1_000,
    logger: createLogger('things', { destination, level: 'info', pretty: false }),
    problems: { rejections: { too_late: 409 } },
  });
});

afterAll(() => http.close());

const post = (path: string, body: string, type = 'application/json'): Promise<Response> =>
  fetch(`${http.url}${path}`, { method: 'POST', body, headers: { 'content-type': type } });

const problem = async (response: Response): Promise<Record<string, unknown>> => {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = (await response.json()) as Record<string, unknown>;
  expect(body).toMatchObject({
    status: response.status,
    correlationId: response.headers.get('x-correlation-id'),
    type: `urn:problem-type:${String(body.code)}`,
  });
  return body;
};

const create = (body: unknown): Promise<Response> => post('/things', JSON.stringify(body));

describe('an error response', () => {
  test.each([
    ['malformed JSON', () => post('/things', '{"name":'), 400, 'malformed_request'],
    ['no body', () => post('/things', ''), 400, 'malformed_request'],
    ['a polluting key', () => post('/things', '{"__proto__":{"a":1}}'), 400, 'malformed_request'],
    ['a body too large', () => create({ name: 'x'.repeat(2_000) }), 413, 'body_too_large'],
    ['another media type', () => post('/things', 'a', 'text/plain'), 415, 'unsupported_media_type'],
    ['no such route', () => fetch(`${http.url}/nothing`), 404, 'route_not_found'],
    ['a broken path', () => fetch(`${http.url}/things/%zz`), 400, 'malformed_request'],
    ['a mapped rejection', () => create({ name: 'refused' }), 409, 'too_late'],
    ['any other rejection', () => create({ name: 'unmapped' }), 422, 'odd'],
    ['a bug', () => create({ name: 'bug' }), 500, 'internal_error'],
    ['a part away', () => create({ name: 'away' }), 503, 'temporarily_unavailable'],
    ['a busy database', () => create({ name: 'busy' }), 503, 'temporarily_unavailable'],
    ['an array', () => create([{ name: 'a' }]), 422, 'validation_failed'],
  ])('is returned for %s', async (_, send, status, code) => {
    expect(await problem(await send())).toMatchObject({ status, code });
  });

  test('does not reveal the cause of a bug', async () => {
    expect(JSON.stringify(await problem(await create({ name: 'bug' })))).not.toContain('secret');
    expect(lines.join('')).toContain('the secret cause');
  });

  test('names the location of every invalid field', async () => {
    const body = await problem(await create({ name: 1, inner: { size: 'big', odd: 1 } }));
    expect(body.status).toBe(422);
    expect(body.errors).toEqual([
      { code: 'isString', detail: 'name must be a string', pointer: '#/name' },
      {
        code: 'unknown_field',
        detail: 'odd is not a field of this request',
        pointer: '#/inner/odd',
      },
      { code: 'isInt', detail: 'size must be an integer number', pointer: '#/inner/size' },
    ]);
  });

  test('says that a required field is missing', async () => {
    const body = await problem(await create({ inner: {} }));
    expect(body.errors).toEqual([
      { code: 'isString', detail: 'name is missing', pointer: '#/name' },
      { code: 'isInt', detail: 'size is missing', pointer: '#/inner/size' },
    ]);
  });

  test('names an invalid query parameter', async () => {
    const body = await problem(await fetch(`${http.url}/things?limit=many`));
    expect(body.errors).toEqual([expect.objectContaining({ parameter: 'limit' })]);
  });
});

describe('a card number or IBAN in a request', () => {
  test.each([
    ['a field', () => create({ name: `pay ${CARD}` }), { pointer: '#/name' }],
    ['a number', () => post('/things', `{"name":${CARD}}`), { pointer: '#/name' }],
    ['a key', () => create({ name: 'a', inner: { [CARD]: 1 } }), { pointer: '#/inner' }],
    ['separators', () => create({ name: '4242 4242-4242.4242' }), { pointer: '#/name' }],
    [
      'no-break spaces',
      () => create({ name: '4242\u00a04242\u00a04242\u00a04242' }),
      { pointer: '#/name' },
    ],
    ['full-width digits', () => create({ name: '\uff14\uff12'.repeat(8) }), { pointer: '#/name' }],
    ['the query', () => fetch(`${http.url}/things?limit=${CARD}`), { parameter: 'limit' }],
    ['the path', () => fetch(`${http.url}/things/${CARD}`), { parameter: 'id' }],
  ])('is rejected in %s', async (_, send, where) => {
    const body = await problem(await send());
    expect(body).toMatchObject({ status: 422, code: 'card_number_not_allowed', errors: [where] });
    expect(JSON.stringify(body)).not.toContain('4242');
  });

  test('is accepted in a field that is declared to contain long numbers', async () => {
    const send = (body: object) => post('/things/numbered', JSON.stringify(body));
    expect((await send({ name: CARD })).status).toBe(201);
    expect((await send({ name: IBAN })).status).toBe(201);
    expect((await send({ name: 'a', other: CARD })).status).toBe(422);
    expect((await send({ name: 'a', other: IBAN })).status).toBe(422);
    expect((await send({ name: 'a\0' })).status).toBe(422);
  });

  test('appears in no log line', () => {
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.join('')).not.toContain(CARD);
  });

  test.each([
    IBAN,
    'pay to fr76 3000 6000 0112 3456 7890 189',
    'FR76\u00a03000\u20096000-0112/3456_7890,189',
    `account${IBAN}please`,
    IBAN.replace(/(....)/g, '$1&nbsp;'),
    IBAN.replace(/(....)/g, '$1<br>'),
    'LV80BANK0000435195001',
    'lv80 bank 0000 4351 9500 1',
    'E\u0301S91 2100 0418 4502 0005 1332',
    'D\u200bE89\t37040044 0532013000',
    '\uff22\uff25' + '68 5390 0754 7034',
  ])('is rejected: the IBAN %s', async (name) => {
    const body = await problem(await create({ name }));
    expect(body).toMatchObject({ code: 'iban_not_allowed', errors: [{ pointer: '#/name' }] });
    const inPath = await problem(await fetch(`${http.url}/things/${encodeURIComponent(name)}`));
    expect(inPath).toMatchObject({ code: 'iban_not_allowed', errors: [{ parameter: 'id' }] });
    expect(JSON.stringify(body)).not.toMatch(/3000|3704|5390|4351/);
  });

  test('is accepted if it is an IBAN with wrong check digits or within a longer word', async () => {
    // The last example is a random id that happens to have the length and the check digits of an
    // IBAN.
    const others = [
      'FR7630006000011234567890188',
      'DE 1 in 10',
      'FR76',
      'NO93 8601',
      'ref_Lv96XUBRhJPPR9sRDZt20kjB',
    ];
    for (const name of others) {
      expect((await create({ name })).status).toBe(201);
    }
  });

  test('is accepted as part of a UUID', async () => {
    const uuid = '42424242-4242-4242-a000-000000000000';
    expect((await create({ name: uuid })).status).toBe(201);
  });
});

test.each(
  [...Object.getOwnPropertyNames(Object.prototype), 'prototype'].filter(
    (name) => name !== '__proto__',
  ),
)('a body with a field named %s at any level is rejected', async (name) => {
  for (const [body, pointer] of [
    [{ name: 'a', inner: { [name]: 'b' } }, `#/inner/${name}`],
    [{ name: 'a', inner: { [name]: null } }, `#/inner/${name}`],
    [{ name: 'a', [name]: {} }, `#/${name}`],
  ] as const) {
    const answer = await problem(await create(body));
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ pointer }] });
  }
});

test.each([
  ['NUL', '{"name":"a\\u0000b"}'],
  ['half a surrogate pair', '{"name":"a\\ud800"}'],
])('a request with a text that PostgreSQL cannot store is rejected: %s', async (_, body) => {
  const answer = await problem(await post('/things', body));
  expect(answer).toMatchObject({ code: 'unstorable_text', errors: [{ pointer: '#/name' }] });
});

describe('the tracing of a request', () => {
  test('uses the correlation id of the caller, or generates one', async () => {
    const headers = { 'x-correlation-id': 'cart-7' };
    const kept = await fetch(`${http.url}/things/a`, { headers });
    expect(kept.headers.get('x-correlation-id')).toBe('cart-7');
    const made = await fetch(`${http.url}/things/a`);
    expect(made.headers.get('x-correlation-id')).toMatch(/^req_\w{24}$/);
  });

  test.each([CARD, IBAN])('rejects an account number as a correlation id: %s', async (given) => {
    const answer = await fetch(`${http.url}/things/a`, {
      headers: { 'x-correlation-id': given },
    });
    expect(answer.headers.get('x-correlation-id')).toMatch(/^req_/);
  });

  test('continues the trace of the caller', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const answer = await fetch(`${http.url}/things/a`, { headers });
    expect(await answer.json()).toMatchObject({ trace: { traceId, sampled: true } });
  });

  test('starts a new trace if the trace id contains a card number', async () => {
    const headers = { traceparent: `00-aaaaaaaaaaaaaaaa${CARD}-b7ad6b7169203331-01` };
    const answer = await fetch(`${http.url}/things/a`, { headers });
    expect(JSON.stringify(await answer.json())).not.toContain(CARD);
  });

  test('logs no path segment that may be a secret', async () => {
    await fetch(`${http.url}/things/${'aB3'.repeat(10)}`);
    expect(lines.at(-1)).toContain('"path":"/things/[token]"');
  });

  test.each(['a.payer@example.test', 'a.payer%40example.test'])(
    'logs no email address in a path: %s',
    async (email) => {
      await fetch(`${http.url}/things/${email}`);
      expect(lines.at(-1)).toContain('"path":"/things/[email]"');
      expect(lines.join('')).not.toContain('a.payer');
    },
  );

  test('removes an email address from a long path without a long search', async () => {
    const beganAt = process.cpuUsage();
    const path = `/nothing/${'a'.repeat(15_400)}/a.payer@example.test`;
    for (let count = 0; count < 10; count += 1) await fetch(http.url + path);
    expect(process.cpuUsage(beganAt).user).toBeLessThan(1_000_000);
    expect(lines.at(-1)).toContain('/[email]"');
  });

  test.each([IBAN, IBAN.replace(/(....)/g, '$1%20'), IBAN.replace(/(....)/g, '$1%C2%A0')])(
    'logs no account number in a path: %s',
    async (iban) => {
      await fetch(`${http.url}/things/${iban}`);
      expect(lines.at(-1)).toContain('"path":"/things/[iban]"');
    },
  );

  test('logs one line per request, with its result and without its query', async () => {
    await fetch(`${http.url}/things/a?token=hidden`);
    const line = lines.at(-1) ?? '';
    const expected = { app: 'things', route: '/things/:id', path: '/things/a', status: 200 };
    expect(JSON.parse(line)).toMatchObject(expected);
    expect(line).not.toContain('hidden');
  });

  test.each(['/health/live', '/health/ready', '/metrics', '/sandbox/clock'])(
    'logs no request that polls %s',
    async (path) => {
      const before = lines.length;
      await (await fetch(`${http.url}${path}`)).text();
      await fetch(`${http.url}/things/after`);
      const logged = lines
        .slice(before)
        .map((line) => (JSON.parse(line) as { path?: string }).path);
      expect(logged).toEqual(['/things/after']);
    },
  );
});

test('a route with a raw body receives the unchanged bytes of any media type', async () => {
  expect(await (await post('/things/raw', '{ "a":1}')).json()).toEqual({
    bytes: Buffer.from('{ "a":1}').toString('hex'),
  });
  expect((await post('/things/raw', 'plain', 'text/plain')).status).toBe(201);
});

test('every response has security headers', async () => {
  const { headers } = await fetch(`${http.url}/things/a`);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
});

test('a response over plain HTTP contains no header that makes browsers use HTTPS', async () => {
  const { headers } = await fetch(`${http.url}/things/a`);
  expect(headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  expect(headers.get('strict-transport-security')).toBeNull();
});

test('an app serves its health and its metrics', async () => {
  expect(await (await fetch(`${http.url}/health/live`)).json()).toEqual({ status: 'up' });
  expect((await fetch(`${http.url}/health/ready`)).status).toBe(200);
  const metrics = await (await fetch(`${http.url}/metrics`)).text();
  expect(metrics).toMatch(/http_request_duration_seconds_count\{method="POST",route="\/things"/);
});

test('an app with an internal port serves metrics only on that port, and health on both ports', async () => {
  const one = await startHttpApp({
    name: 'two-ports',
    module: ThingsModule,
    port: 0,
    internalPort: 0,
    ownsProcess: false,
    logger: http.logger,
  });
  const status = async (base: string, path: string): Promise<number> =>
    (await fetch(`${base}${path}`)).status;
  try {
    expect(one.internalUrl).not.toBe(one.url);
    for (const base of [one.url, one.internalUrl]) {
      expect(await status(base, '/health/live')).toBe(200);
      expect(await status(base, '/health/ready')).toBe(200);
      expect(await status(base, '/nothing')).toBe(404);
    }
    expect(await status(one.internalUrl, '/metrics')).toBe(200);
    expect(await status(one.url, '/things/a')).toBe(200);
    const wrongPort = [`${one.url}/metrics`, `${one.url}/%6Detrics`, `${one.internalUrl}/things/a`];
    for (const url of wrongPort) {
      expect(await problem(await fetch(url))).toMatchObject({
        status: 404,
        code: 'route_not_found',
      });
    }
  } finally {
    await one.close();
  }
  await expect(fetch(`${one.internalUrl}/health/live`)).rejects.toThrow();
});

test('an app whose internal port is in use does not start', async () => {
  const again = startHttpApp({
    name: 'again',
    module: ThingsModule,
    port: 0,
    internalPort: http.port,
    ownsProcess: false,
    logger: http.logger,
  });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('an app whose port is in use does not start', async () => {
  const again = startHttpApp({
    name: 'again',
    module: ThingsModule,
    port: http.port,
    ownsProcess: false,
    logger: http.logger,
  });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('an app whose TLS port is in use never reports on its plain HTTP port that it is ready', async () => {
  const port = await freePort();
  let wasReady = false;
  const starting = startHttpApp({
    name: 'half',
    module: ThingsModule,
    port,
    ownsProcess: false,
    logger: http.logger,
    tls: { port: http.port, ...developmentCertificate() },
  });
  const asking = setInterval(() => {
    fetch(`http://127.0.0.1:${port}/health/live`).then(
      () => (wasReady = true),
      () => undefined,
    );
  }, 1);
  await expect(starting).rejects.toMatchObject({ code: 'EADDRINUSE' });
  clearInterval(asking);
  expect(wasReady).toBe(false);
});

test('a stopping app responds to the requests in progress and closes idle connections', async () => {
  const stopping = await startHttpApp({
    name: 'stopping',
    module: SlowModule,
    port: 0,
    ownsProcess: false,
    logger: http.logger,
  });
  // Opens a keep-alive connection that stays idle after one request.
  await (await fetch(`${stopping.url}/health/live`)).text();
  const arrived = once(slowArrivals, 'arrived');
  const answer = fetch(`${stopping.url}/slow`);
  await arrived;
  const startedMs = Date.now();
  await stopping.close();
  expect(await (await answer).text()).toBe('done');
  expect(Date.now() - startedMs).toBeLessThan(6_000);
});

test('the background loops of a stopping app run until all requests in progress have been answered', async () => {
  const steps: string[] = [];
  @Controller('order')
  class WorkController
    implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
  {
    @Get()
    async wait(): Promise<string> {
      slowArrivals.emit('arrived');
      await new Promise((resolve) => setTimeout(resolve, 200));
      steps.push('answered');
      return 'done';
    }

    onModuleDestroy(): void {
      steps.push('stopping');
    }

    beforeApplicationShutdown(): void {
      steps.push('loops stop');
    }

    onApplicationShutdown(): void {
      steps.push('closed');
    }
  }
  @Module({ controllers: [WorkController] })
  class WorkModule {}
  const stopping = await startHttpApp({
    name: 'order',
    module: WorkModule,
    port: 0,
    ownsProcess: false,
    logger: http.logger,
  });
  const arrived = once(slowArrivals, 'arrived');
  const answer = fetch(`${stopping.url}/order`);
  await arrived;
  await stopping.close();
  expect(await (await answer).text()).toBe('done');
  expect(steps).toEqual(['stopping', 'answered', 'loops stop', 'closed']);
  await expect(fetch(`${stopping.url}/order`)).rejects.toThrow();
});

test('a request that never gets a response does not keep a stopping process alive', async () => {
  let cuts = 0;
  let end = (): void => {};
  const closing = new Promise<void>((resolve) => (end = resolve));
  await cutWhenIdle(
    closing,
    () => 1,
    30,
    () => {
      cuts += 1;
      end();
    },
  );
  expect(cuts).toBe(1);
});
