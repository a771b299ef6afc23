import { RequestMethod } from '@nestjs/common';
import { type Harness, startHarness } from '../../testing/harness.js';
import { CompaniesController } from '../companies/companies.controller.js';
import { DocumentsController } from '../documents/documents.controller.js';
import { LookupsController } from '../lookups/lookups.controller.js';
import { RegistrationController } from '../registration/registration.controller.js';
import { TerminalsController } from '../terminals/terminals.controller.js';
import { misfits } from '../testing/answers.js';
import { ask } from '../testing/partner.js';
import { ONBOARDING_ROUTES } from './routes.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const CONTROLLERS = [
  CompaniesController,
  DocumentsController,
  LookupsController,
  RegistrationController,
  TerminalsController,
];

const servedBy = (controller: (typeof CONTROLLERS)[number]): readonly string[] =>
  Object.getOwnPropertyNames(controller.prototype).flatMap((name) => {
    const handler: unknown = Object.getOwnPropertyDescriptor(controller.prototype, name)?.value;
    if (typeof handler !== 'function' || name === 'constructor') return [];
    const path: unknown = Reflect.getMetadata('path', handler);
    const method: unknown = Reflect.getMetadata('method', handler);
    return typeof path === 'string' ? [`${RequestMethod[Number(method)]} /${path}`] : [];
  });

test('the documented endpoints are exactly those that the API serves', () => {
  const served = CONTROLLERS.flatMap(servedBy).sort();
  expect(ONBOARDING_ROUTES.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served);
});

test('every endpoint of the specification is served', async () => {
  for (const { method, path } of ONBOARDING_ROUTES) {
    const { status, body } = await ask(sandbox, method, path);
    expect([path, body]).not.toMatchObject([path, { message: 'no route exists at this path' }]);
    expect([200, 404, 422]).toContain(status);
  }
});

test.each([
  '/naf-code',
  '/average-basket?currency=eur',
  '/currency',
  '/field-of-activity',
  '/forecast-turnover?currency=gbp',
  '/countries?type=birth',
  '/language',
  '/legal-form?country=fra',
  '/legal-form-position?legal-form=deu-ag',
  '/service',
])('the response of %s matches its published schema', async (address) => {
  const path = address.split('?')[0];
  const route = ONBOARDING_ROUTES.find((each) => each.path === path && each.method === 'GET');
  const { status, body } = await ask(sandbox, 'GET', address);
  expect(status).toBe(200);
  expect(route?.answer === 'file' ? ['no file'] : misfits(route?.answer ?? {}, body)).toEqual([]);
});
