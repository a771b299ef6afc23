/**
 * A platform that uses a generated client: it sells one order, then onboards one merchant. It
 * requests each action of the payer and the merchant by a line on standard output.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Schemas = components['schemas'];

const { API_URL = '', API_KEY = '', MERCHANT_ID = '', JPEG = '', PDF = '' } = process.env;
const client = createClient<paths>({
  baseUrl: API_URL,
  headers: { authorization: `Bearer ${API_KEY}` },
});
const once = () => ({ 'Idempotency-Key': randomUUID() });

const answered = async <T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> => {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  return data;
};

/** Polls without a timeout, because the calling process limits the duration of the whole run. */
const until = async <T>(poll: () => Promise<T | null>): Promise<T> => {
  for (;;) {
    const found = await poll();
    if (found !== null) return found;
    await sleep(200);
  }
};

const report = (...words: readonly string[]): void => {
  process.stdout.write(`${words.join(' ')}\n`);
};

const sell = async (): Promise<void> => {
  const { id } = await answered(
    client.POST('/v1/orders', {
      params: { header: once() },
      body: {
        merchantId: MERCHANT_ID,
        reference: `client-${randomUUID()}`,
        amountMinor: 1_250,
        currency: 'eur',
        capture: { policy: 'automatic' },
      },
    }),
  );
  const read = () => answered(client.GET('/v1/orders/{id}', { params: { path: { id } } }));
  report('pay', await until(async () => (await read()).payment?.pageUrl ?? null));
  await until(async () => (await read()).status === 'paid' || null);
  report('paid', id);
};

const address = { line1: '12 rue des Lilas', postalCode: '75011', city: 'Paris', country: 'FR' };
const person: Schemas['PersonInput'] = {
  firstName: 'Camille',
  lastName: 'Martin',
  address,
  nationality: 'FR',
  residenceCountry: 'FR',
  birth: { date: '1984-05-17', place: 'Paris', department: '75', country: 'FR' },
};
const details: Schemas['CompanyInput'] = {
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '73282932000017',
    legalName: 'Atelier Lumière',
    registeredOn: '2019-03-04',
    website: 'https://atelier.example.test',
    address,
    passiveNonFinancialEntity: false,
    activity: {
      code: '47.71Z',
      sector: 'fashion',
      averageBasket: '50_to_100',
      forecastTurnover: '100000_to_250000',
    },
  },
  contact: {
    ...person,
    email: `${randomUUID()}@example.test`,
    phone: '+33612345678',
    language: 'fr',
  },
  payoutAccount: { iban: 'FR7630006000011234567890189' },
  products: ['online_payments'],
  owners: [{ person, ownershipPercent: 100, votingPercent: 100, controls: true }],
  representatives: [{ person, position: 'president' }],
};

const file = (base64: string): File => new File([Buffer.from(base64, 'base64')], 'paper');

const send = async (id: string, paper: Schemas['ExpectedDocument']): Promise<void> => {
  const { kind, personId } = paper;
  const isCard = kind === 'identity_card';
  const meta = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };
  await answered(
    client.POST('/v1/merchants/{id}/documents', {
      params: {
        path: { id },
        header: once(),
        query: { kind, ...(personId === null ? {} : { personId }) },
      },
      body: { file: isCard ? [JPEG, JPEG] : [PDF], ...(isCard ? { meta } : {}) },
      bodySerializer: (body) => {
        const form = new FormData();
        for (const one of body.file) form.append('file', file(one));
        if (body.meta) form.append('meta', JSON.stringify(body.meta));
        return form;
      },
    }),
  );
};

const onboard = async (): Promise<void> => {
  const { id } = await answered(
    client.POST('/v1/merchants', {
      params: { header: once() },
      body: { reference: `client-${randomUUID()}`, mode: 'test', details },
    }),
  );
  const path = { id };
  const read = () => answered(client.GET('/v1/merchants/{id}', { params: { path } }));
  const companyId = await until(async () => (await read()).companyId);
  const { expected } = await answered(
    client.GET('/v1/merchants/{id}/documents', { params: { path } }),
  );
  for (const paper of expected) await send(id, paper);
  const { link } = await answered(
    client.POST('/v1/merchants/{id}/subscription-link', {
      params: { path, header: once() },
    }),
  );
  report('sign', link, companyId);
  await until(async () => {
    const { orders } = await answered(
      client.POST('/v1/merchants/{id}/refresh', {
        params: { path, header: once() },
      }),
    );
    return orders.enabled || null;
  });
  report('open', id);
};

await sell();
await onboard();
