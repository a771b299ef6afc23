import { createHash } from 'node:crypto';
import { isRegistered } from '#onboarding';
import { holdsCardNumber, newId, randomText } from '#kernel';
import { waitFor } from '#testing';
import { orderBody } from '../../apps/api/api.fixture.js';
import { person } from '../../tools/stack/seller.js';
import { onboardBody, OnboardingFixture } from '../support/onboarding.js';

/**
 * Tests a platform's requests for a registered merchant: owners and representatives, subscription
 * link, onboarding progress, terminals and orders.
 */

let fixture: OnboardingFixture;
let platformId: string;
let key: string;
let id: string;
let companyId: string;

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
  platformId = `p-${randomText(8)}`;
  key = await fixture.api.newKey(platformId);
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  ({ id, companyId } = await fixture.registered(key));
});

/** Values of the details that identify a person, as the provider's API writes them. */
const PERSONAL = [
  'Camille',
  'Zoe',
  'Noa',
  'Martin',
  '1984-05-17',
  'Paris',
  '12 rue des Lilas',
  '75011',
  '612345678',
  'FR7630006000011234567890189',
  'example.test',
];

type Json = Readonly<Record<string, unknown>>;

/** An Idempotency-Key from which the api would derive a reference that looks like a card number. */
const keyWithCardNumber = (): string => {
  for (;;) {
    const drawn = randomText(16);
    const digest = createHash('sha256').update(`${platformId} ${drawn}`).digest('hex');
    if (holdsCardNumber(`added-${digest.slice(0, 24)}`)) return drawn;
  }
};

const path = (more = '') => `/v1/merchants/${id}${more}`;
const post = (more: string, body: Json = {}, idempotencyKey?: string) =>
  fixture.api.post(path(more), key, body, idempotencyKey);
const patch = (more: string, body: Json) => fixture.api.call('PATCH', path(more), { key, body });
const remove = (more: string) => fixture.api.call('DELETE', path(more), { key });
const company = () => fixture.client.getCompany(companyId);
/** Loses the next request to change the company at the provider, or only its response. */
const failNextChange = (kind: 'drop_before' | 'drop_after') =>
  fixture.sandbox.addFault({ route: 'PATCH /api/partners/company', kind, count: 1 });

describe('owners and representatives', () => {
  test('repeated requests with one Idempotency-Key, or with one reference, add a person only once', async () => {
    const once = randomText(16);
    const owner = { person: person('Noa'), ownershipPercent: 0 };
    const first = await post('/owners', owner, once);
    expect(first).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^pers_/) } });
    expect((await post('/owners', owner, once)).body).toEqual(first.body);
    const labelled = { ...owner, person: person('Lou'), reference: 'lou' };
    const second = await post('/owners', labelled);
    expect(second.body['reference']).toBe('lou');
    expect(await post('/owners', labelled)).toMatchObject({
      status: 409,
      body: { code: 'person_exists', errors: [{ pointer: '#/reference' }] },
    });
    expect((await company()).details.owners?.map((one) => one.person?.firstName)).toEqual([
      'Camille',
      'Noa',
      'Lou',
    ]);
  });

  test('a person is not added twice when the provider’s response was lost', async () => {
    await failNextChange('drop_after');
    expect((await post('/owners', { person: person('Noa'), ownershipPercent: 0 })).status).toBe(
      201,
    );
    expect((await company()).owners).toHaveLength(2);
  });

  test('a person with a reference of the platform is added once when the provider’s response was lost and the read failed, too', async () => {
    const lou = { person: person('Lou'), ownershipPercent: 0, reference: 'lou' };
    const once = randomText(16);
    await failNextChange('drop_before');
    expect(await post('/owners', lou, once)).toMatchObject({
      status: 503,
      body: { code: 'provider_unavailable' },
    });
    // The provider executes the request after the api has read the owners.
    await fixture.client.putPerson(companyId, 'owner', lou);
    expect(await post('/owners', lou)).toMatchObject({
      status: 409,
      body: { code: 'person_exists' },
    });
    const added = await post('/owners', lou, once);
    expect(added).toMatchObject({ status: 201, body: { reference: 'lou' } });
    expect(await post('/owners', lou, once)).toMatchObject({ status: 201, body: added.body });
    expect((await company()).owners.map(({ reference }) => reference)).toEqual([null, 'lou']);
    const { body } = await fixture.api.get(path('/timeline'), key);
    const types = (body['items'] as { type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === 'DetailsRevised')).toHaveLength(1);
  });

  test('a person can be added with an Idempotency-Key whose digest looks like a card number', async () => {
    const once = keyWithCardNumber();
    const owner = { person: person('Noa'), ownershipPercent: 0 };
    await failNextChange('drop_after');
    const first = await post('/owners', owner, once);
    expect(first.status).toBe(201);
    expect(await post('/owners', owner, once)).toMatchObject({ status: 201, body: first.body });
    expect((await company()).owners).toHaveLength(2);
  });

  test('a person whom a second request has added is not the result of an earlier request with the same reference', async () => {
    const lou = { person: person('Lou'), ownershipPercent: 0, reference: 'lou' };
    const once = randomText(16);
    await failNextChange('drop_before');
    expect((await post('/owners', lou, once)).status).toBe(503);
    expect((await post('/owners', { ...lou, person: person('Louis') })).status).toBe(201);
    expect(await post('/owners', lou, once)).toMatchObject({
      status: 409,
      body: { code: 'person_exists' },
    });
  });

  test('a platform can change a representative that is a company, with the id that the api returned', async () => {
    const holding = {
      company: {
        legalForm: 'fr_sas',
        country: 'FR',
        registrationNumber: '552081317',
        legalName: 'Holding',
        representatives: [{ person: person('Alex'), position: 'president' }],
      },
    };
    const added = await post('/representatives', holding);
    expect(added).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^comp_/) } });
    const personId = String(added.body['id']);
    expect(
      (
        await patch(`/representatives/${personId}`, {
          company: { legalName: 'Holding Deux' },
          position: 'president',
        })
      ).status,
    ).toBe(200);
    expect((await company()).details.representatives?.[1]).toMatchObject({
      company: { legalName: 'Holding Deux' },
      position: 'president',
    });
    expect(
      await patch(`/representatives/${personId}`, { person: { firstName: 'A' } }),
    ).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/person' }] },
    });
    expect(await patch(`/representatives/${personId}`, { position: 'none' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/position' }] },
    });
    expect(await patch(`/representatives/${personId}`, {})).toMatchObject({ status: 422 });
  });

  test('a representative of a legal person is changed where it is, and does not become a direct representative', async () => {
    const alex = { firstName: 'Alex', lastName: 'Petit' };
    const holding = {
      company: {
        legalForm: 'fr_sas',
        country: 'FR',
        registrationNumber: '552081317',
        legalName: 'Holding',
        representatives: [{ person: alex, reference: 'alex' }],
      },
    };
    expect((await post('/representatives', holding)).status).toBe(201);
    const nested = (await company()).details.representatives?.[1]?.company?.representatives?.[0];
    const nestedPath = `/representatives/${nested?.person?.id}`;
    const change = { person: { birth: { date: '1990-02-03' } }, position: 'president' };
    expect(await patch(nestedPath, change)).toMatchObject({
      status: 200,
      body: { id: nested?.person?.id, reference: 'alex' },
    });
    const { representatives } = (await company()).details;
    expect(representatives).toHaveLength(2);
    expect(representatives?.[1]?.company?.representatives).toMatchObject([
      { person: { ...alex, birth: { date: '1990-02-03' } }, position: 'president' },
    ]);
    expect(await patch(nestedPath, { position: 'none' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '#/position' }] },
    });
  });

  test('a person is changed only in a role that the person has', async () => {
    const noa = { person: person('Noa'), ownershipPercent: 0 };
    const owner = String((await post('/owners', noa)).body['id']);
    const alex = { person: person('Alex'), position: 'president' };
    const representative = String((await post('/representatives', alex)).body['id']);
    const change = { person: { firstName: 'Sacha' } };
    for (const other of [
      `/representatives/${owner}`,
      `/owners/${representative}`,
      `/owners/${newId('pers')}`,
      `/representatives/${newId('comp')}`,
    ]) {
      const body = other.includes('comp_') ? { company: { legalName: 'Other' } } : change;
      expect(await patch(other, body)).toMatchObject({
        status: 404,
        body: { code: 'person_not_found' },
      });
    }
    const { owners, representatives } = await company();
    expect([owners.length, representatives.length]).toEqual([2, 2]);
  });

  test('the api names a field that the provider rejected by its path in the platform’s request body', async () => {
    expect(await post('/owners', { person: person('Noa'), ownershipPercent: 50 })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ detail: expect.any(String) }] },
    });
  });

  test('an owner can be removed once, and the last representative cannot be removed', async () => {
    const { owners, representatives } = await company();
    const owner = owners[0]?.id ?? '';
    expect((await remove(`/owners/${owner}`)).status).toBe(204);
    expect(await remove(`/owners/${owner}`)).toMatchObject({
      status: 404,
      body: { code: 'person_not_found' },
    });
    expect(await remove('/owners/unknown')).toMatchObject({ status: 404 });
    const last = representatives[0]?.id ?? '';
    expect(await remove(`/representatives/${last}`)).toMatchObject({
      status: 409,
      body: { code: 'provider_conflict' },
    });
    const { body } = await fixture.api.get(path('/timeline'), key);
    const revised = (body['items'] as { type: string; data: Json }[]).filter(
      ({ type }) => type === 'DetailsRevised',
    );
    expect(revised.map(({ data }) => data['fields'])).toEqual([['owners']]);
  });
});

test('the missing items are read again when a person to remove is not at the provider, because a response may have been lost', async () => {
  const owner = (await company()).owners[0]?.id ?? '';
  const readsDue = async () => {
    const { rows } = await fixture.api.pool.query(
      `SELECT 1 FROM jobs WHERE kind = 'merchant.requirements' AND key = $1 AND state = 'waiting'`,
      [id],
    );
    return rows.length;
  };
  await fixture.api.pool.query('DELETE FROM jobs WHERE key = $1', [id]);
  await fixture.sandbox.addFault({
    route: 'DELETE /api/partners/company-head',
    kind: 'drop_after',
    count: 1,
  });
  expect((await remove(`/owners/${owner}`)).status).toBe(503);
  expect(await readsDue()).toBe(0);
  expect((await remove(`/owners/${owner}`)).status).toBe(404);
  expect(await readsDue()).toBe(1);
});

describe('company data read from the provider', () => {
  test('the api returns the details in the submitted format, only to API keys that may read details', async () => {
    const { body } = await fixture.api.get(path('/details'), key);
    expect(body).toMatchObject({
      source: 'provider',
      details: {
        company: { country: 'FR', legalForm: 'fr_sas', activity: { averageBasket: '50_to_100' } },
        payoutAccount: { iban: 'FR7630006000011234567890189' },
        products: ['online_payments', 'payment_terminals'],
        contact: { firstName: 'Camille', phone: '+33612345678' },
        owners: [
          {
            person: { id: expect.stringMatching(/^pers_/), nationality: 'FR' },
            ownershipPercent: 100,
          },
        ],
        representatives: [{ position: 'president' }],
      },
    });
    const blind = await fixture.api.newKey(platformId, ['merchants:read', 'merchants:write']);
    expect((await fixture.api.get(path('/details'), blind)).status).toBe(403);
  });

  test('the stored requests to the provider contain no personal data of the merchant', async () => {
    await fixture.api.get(path('/details'), key);
    const contact = { ...person('Zoe'), phone: '+33612345678' };
    expect((await patch('', { details: { contact } })).status).toBe(200);
    expect((await post('/owners', { person: person('Noa'), ownershipPercent: 0 })).status).toBe(
      201,
    );
    const stored = await waitFor(async () => {
      const { rows } = await fixture.api.pool.query<{ method: string }>(
        'SELECT * FROM api_requests WHERE object_id = $1',
        [companyId],
      );
      return rows.filter(({ method }) => method === 'PATCH').length === 2 ? rows : null;
    });
    const text = JSON.stringify(stored);
    expect(PERSONAL.filter((personal) => text.includes(personal))).toEqual([]);
  });

  test('the api returns the subscription link, and stores it neither in an event nor in a stored response', async () => {
    const { status, body, headers } = await post('/subscription-link');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const link = String(body['link']);
    const token = link.split('/').at(-1) ?? '';
    expect(link).toMatch(/\/subscription\/\w+$/);
    const { rows } = await fixture.api.pool.query(
      `SELECT 1 FROM idempotency_keys k WHERE k::text LIKE $1
        UNION ALL SELECT 1 FROM events e WHERE e::text LIKE $1`,
      [`%${token}%`],
    );
    expect(rows).toEqual([]);
  });

  test('the api returns the onboarding progress with our field names', async () => {
    const { body } = await fixture.api.get(path('/progress'), key);
    expect(body).toMatchObject({ status: 'incomplete', percent: expect.any(Number) });
    const steps = body['steps'] as { code: string; missing: string[] }[];
    expect(steps.find(({ code }) => code === 'documents')?.missing).toEqual([
      'documents.registration_extract',
      'documents.bank_account_proof',
      expect.stringMatching(/^documents\.identity_card\.pers_/),
    ]);
  });

  test('a refresh reads and records the company and the onboarding progress', async () => {
    await fixture.execute(id, {
      type: 'ReviseDetails',
      detailsRef: null,
      fields: ['company.website'],
      at: fixture.now(),
    });
    const { status, body } = await post('/refresh');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        status: 'incomplete',
        companyId,
        missing: {
          items: expect.arrayContaining(['documents.registration_extract', 'signature']),
          readAt: expect.any(String),
        },
        statusChanges: [expect.objectContaining({ status: 'incomplete', source: 'read' })],
      }),
    ]);
  });
});

test('requests that read or change a company are rejected before the company exists at the provider', async () => {
  const { body } = await fixture.api.post('/v1/merchants', key, onboardBody());
  id = String(body['id']);
  for (const answer of [
    await post('/refresh'),
    await post('/subscription-link'),
    await post('/owners', { person: person('Noa') }),
    await post('/terminals', { name: 'Counter' }),
    await fixture.api.get(path('/progress'), key),
    await fixture.api.get(path('/documents'), key),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'merchant_not_registered' } });
});

describe('terminals', () => {
  test('a merchant can order one terminal at a time, after the provider has validated the merchant’s file', async () => {
    expect(await post('/terminals', { name: 'Counter' })).toMatchObject({
      status: 409,
      body: { code: 'merchant_not_validated' },
    });
    await fixture.moveTo(id, companyId, 'validated');
    const once = randomText(16);
    const asked = await post('/terminals', { name: 'Counter' }, once);
    expect(asked).toMatchObject({ status: 202, body: { items: [], ordering: 'Counter' } });
    expect((await post('/terminals', { name: 'Counter' }, once)).body).toEqual(asked.body);
    expect(await post('/terminals', { name: 'Bar' })).toMatchObject({
      status: 409,
      body: { code: 'terminal_order_in_progress' },
    });
  });

  test('a terminal can be canceled while its order is pending', async () => {
    await fixture.moveTo(id, companyId, 'validated');
    await post('/terminals', { name: 'Counter' });
    const merchant = await fixture.state(id);
    const account = isRegistered(merchant) ? (merchant.companyAccountId ?? '') : '';
    const { terminalId } = await fixture.client.orderTerminal(companyId, account, 'Counter');
    const observe = async () => {
      const seen = await fixture.client.listTerminals(companyId, account);
      await fixture.execute(id, {
        type: 'ObserveTerminals',
        terminals: seen,
        readAt: fixture.now(),
        at: fixture.now(),
      });
    };
    await observe();
    expect((await fixture.api.get(path('/terminals'), key)).body).toMatchObject({
      items: [{ id: terminalId, status: 'pending', cancelRequested: false }],
      ordering: null,
    });
    expect((await post(`/terminals/${terminalId}/cancel`)).body).toMatchObject({
      items: [{ cancelRequested: true }],
    });
    expect(await post('/terminals/term_none/cancel')).toMatchObject({
      status: 404,
      body: { code: 'terminal_not_found' },
    });
  });
});

test('a refresh of a merchant with terminals has the worker read the terminals, too', async () => {
  const refreshed = async (status: string): Promise<readonly object[]> => {
    const terminal = { terminalId: newId('term'), name: 'Counter', status };
    await fixture.execute(id, {
      type: 'ObserveTerminals',
      terminals: [{ ...terminal, carrierName: null, trackingUrl: null }],
      readAt: fixture.now(),
      at: fixture.now(),
    });
    expect((await post('/refresh')).status).toBe(200);
    const { rows } = await fixture.api.pool.query(
      `SELECT FROM jobs WHERE kind = 'merchant.terminals' AND key = $1 AND due_at <= now()`,
      [id],
    );
    return rows;
  };
  expect(await refreshed('canceled')).toHaveLength(0);
  expect(await refreshed('activated')).toHaveLength(1);
});

describe('an order for an onboarded merchant', () => {
  const place = (more: Json = {}) =>
    fixture.api.post('/v1/orders', key, orderBody({ merchantId: id, ...more }));

  test('is accepted while the merchant is available, and otherwise rejected with the reason', async () => {
    for (const [status, reason] of [
      ['incomplete', 'subscription link'],
      ['in_review', 'being reviewed'],
      ['validated', 'keys are not active yet'],
      ['available', 'keys are being fetched'],
    ] as const) {
      await fixture.moveTo(id, companyId, status);
      expect(await place()).toMatchObject({
        status: 409,
        body: {
          code: 'merchant_not_enabled',
          detail: expect.stringContaining(reason),
          errors: [{ pointer: '#/merchantId', detail: expect.stringContaining(status) }],
        },
      });
    }
    await fixture.open(id, companyId, 'acc_onboarded');
    const placed = await place();
    expect(placed.status).toBe(201);
    const { rows } = await fixture.api.pool.query<{ data: Json }>(
      'SELECT data FROM events WHERE stream_id = $1',
      [placed.body['id']],
    );
    expect(rows[0]?.data['accountId']).toBe('acc_onboarded');
    expect(await place({ mode: 'live' })).toMatchObject({
      status: 422,
      body: { code: 'merchant_unknown' },
    });
    await fixture.moveTo(id, companyId, 'closing');
    expect(await place()).toMatchObject({ status: 409, body: { code: 'merchant_not_enabled' } });
  });

  test('that is concurrent with the merchant’s closing is rejected, or is recorded before the closing', async () => {
    await fixture.open(id, companyId, 'acc_race');
    const answers = Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 3));
        return place();
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    await fixture.moveTo(id, companyId, 'closed');
    const statuses = (await answers).map(({ status }) => status);
    expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true);
    const { rows } = await fixture.api.pool.query<{ late: string }>(
      `SELECT count(*) AS late FROM events placed, events closed
        WHERE closed.stream_id = $1 AND closed.type = 'MerchantDisabled'
          AND placed.type = 'OrderPlaced' AND placed.data->>'merchantId' = $1
          AND (placed.transaction_id, placed.position) > (closed.transaction_id, closed.position)`,
      [id],
    );
    expect(Number(rows[0]?.late)).toBe(0);
  });

  test('is rejected with merchant_unknown when another platform places the order', async () => {
    await fixture.open(id, companyId, 'acc_own');
    const other = await fixture.api.newKey(`p-${randomText(8)}`);
    const body = orderBody({ merchantId: id });
    expect(await fixture.api.post('/v1/orders', other, body)).toMatchObject({
      status: 422,
      body: { code: 'merchant_unknown' },
    });
  });

  test('cannot be paid into a provider account that the platform registers manually', async () => {
    const account = { merchantId: id, mode: 'test', apiKey: `stest_${randomText(24)}` };
    expect(await fixture.api.post('/v1/provider-accounts', key, account)).toMatchObject({
      status: 409,
      body: { code: 'merchant_onboarded' },
    });
  });
});
