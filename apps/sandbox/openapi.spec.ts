import { readFileSync } from 'node:fs';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { undescribedProperties } from '#testing';
import { sandboxOpenApiDocs } from '../../tools/generate-sandbox-openapi.js';
import { ID_PREFIXES, RESOURCES } from './api/ids.js';
import { PAYMENT_ROUTES, paymentDocument } from './collection/openapi/document.js';
import { onboardingDocument } from './onboarding/openapi/onboarding-document.js';
import { ONBOARDING_WORDS } from './onboarding/openapi/onboarding-words.js';
import { ONBOARDING_ROUTES } from './onboarding/openapi/routes.js';
import { checkAnswer } from './testing/check-answers.js';
import { type Harness, startHarness } from './testing/harness.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const DOCUMENTS = [
  ['/openapi.json', paymentDocument],
  ['/openapi-onboarding.json', onboardingDocument],
] as const;

test('the committed OpenAPI documents equal those generated from the code', () => {
  for (const [path, text] of sandboxOpenApiDocs()) {
    const found = readFileSync(path, 'utf8');
    if (found !== text) throw new Error(`${path} is not current: run \`npm run generate\``);
  }
});

test.each(DOCUMENTS)('%s is served and is a valid OpenAPI 3.1 document', async (path, make) => {
  const answer = await fetch(`${sandbox.url}${path}`);
  const served = (await answer.json()) as Record<string, unknown>;
  expect(served).toEqual(JSON.parse(JSON.stringify(make())));
  const validator = new Validator();
  expect(await validator.validate({ ...served })).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

const metadata = (key: string, of: object): unknown => Reflect.getMetadata(key, of);

/** Every route that a controller serves, e.g. `GET /v2/cards/:id`. */
const servedRoutes = (): readonly string[] => {
  const modules = sandbox.http.app.get(ModulesContainer);
  const controllers = [...modules.values()].flatMap((each) => [...each.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (typeof metatype !== 'function') return [];
    const base = metadata('path', metatype);
    const { prototype } = metatype as { readonly prototype: object };
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
      if (typeof handler !== 'function' || name === 'constructor') return [];
      const [path, method] = [metadata('path', handler), metadata('method', handler)];
      if (typeof path !== 'string') return [];
      const whole = `/${String(base)}/${path}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1');
      return [`${RequestMethod[Number(method)]} ${whole}`];
    });
  });
};

test('the OpenAPI document has exactly the routes of the payment API', () => {
  const documented = PAYMENT_ROUTES.map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`,
  );
  const ofApi = servedRoutes().filter((route) => route.includes(' /v2/'));
  expect(ofApi.length).toBeGreaterThan(70);
  expect([...documented].sort()).toEqual([...ofApi].sort());
});

test('the OpenAPI document has exactly the endpoints of the onboarding API', () => {
  const endpoints = ONBOARDING_ROUTES.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(ONBOARDING_WORDS).sort()).toEqual(endpoints.sort());
});

test('the OpenAPI document lists every alternative path of a resource', () => {
  const text = JSON.stringify(paymentDocument());
  for (const prefix of ID_PREFIXES) {
    for (const name of RESOURCES[prefix].paths) expect(text).toContain(`/v2/${name}`);
  }
});

test.each(DOCUMENTS)('every property of %s is described', (_, make) => {
  expect(undescribedProperties(make())).toEqual([]);
});

describe('the comparison of a response with the OpenAPI document', () => {
  const good = { method: 'GET', path: '/v2/ping/', contentType: 'application/json; charset=utf-8' };
  const pong = { ping: 'pong', mode: 'test', account: 'acct_house' };

  test('accepts a response that matches the document', () => {
    expect(() => checkAnswer({ ...good, status: 200, body: pong })).not.toThrow();
  });

  test.each([
    ['an unknown field', { ...good, status: 200, body: { ...pong, more: 1 } }],
    ['a field that is missing', { ...good, status: 200, body: {} }],
    ['an undocumented status', { ...good, status: 418, body: pong }],
    ['another media type', { ...good, status: 200, contentType: 'text/html', body: pong }],
    ['an error that does not match its schema', { ...good, status: 401, body: { message: 'no' } }],
    ['an undocumented path', { ...good, path: '/v2/pings', status: 200, body: pong }],
    [
      'an accepted request body that does not match its schema',
      { ...good, method: 'POST', path: '/v2/product', sent: { nome: 1 }, status: 200, body: pong },
    ],
  ])('rejects %s', (_, exchange) => {
    expect(() => checkAnswer(exchange)).toThrow('mismatch with the API document');
  });
});

describe('the reference pages', () => {
  test.each(['/docs', '/docs/onboarding'])('%s loads nothing from other origins', async (path) => {
    const response = await fetch(`${sandbox.url}${path}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
    const page = await response.text();
    const loaded = [...page.matchAll(/(?:src|href|data-document)="([^"]+)"/g)]
      .map(([, url]) => url ?? '')
      .filter((url) => !url.startsWith('data:'));
    expect(loaded.length).toBeGreaterThan(4);
    for (const url of loaded) expect((await fetch(`${sandbox.url}${url}`)).status).toBe(200);
    expect(page).not.toMatch(/https?:\/\//);
  });
});
