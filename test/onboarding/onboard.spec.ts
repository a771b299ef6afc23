import { randomText } from '#kernel';
import { waitFor } from '#testing';
import { ONBOARD_EXAMPLES } from '../../apps/api/merchants/merchant.dto.js';
import { person, sellerDetails } from '../../tools/stack/seller.js';
import { leastDetails, onboardBody, OnboardingFixture } from '../support/onboarding.js';

/** Tests POST and PATCH /v1/merchants, with the sandbox as the provider. */

let fixture: OnboardingFixture;
let platformId: string;
let key: string;

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
  platformId = `p-${randomText(8)}`;
  key = await fixture.api.newKey(platformId);
});
afterAll(() => fixture.stop());

const post = (body: unknown, idempotencyKey?: string) =>
  fixture.api.post('/v1/merchants', key, body, idempotencyKey);
const patch = (id: string, details: unknown) =>
  fixture.api.call('PATCH', `/v1/merchants/${id}`, { key, body: { details } });
const detailRows = async (): Promise<number> => {
  const { rows } = await fixture.api.pool.query<{ n: string }>(
    'SELECT count(*) AS n FROM merchant_details',
  );
  return Number(rows[0]?.n);
};

describe('a new merchant', () => {
  test('is created with encrypted details, which no event contains', async () => {
    const body = onboardBody(sellerDetails(), { firstTerminal: 'Counter' });
    const { status, body: merchant } = await post(body);
    expect([status, merchant]).toEqual([
      201,
      {
        id: expect.stringMatching(/^mer_/),
        status: 'requested',
        reference: body['reference'],
        mode: 'test',
        orders: { enabled: false, reason: expect.stringContaining('being registered') },
        rejection: null,
        companyId: null,
        missing: null,
        statusChanges: [],
        documents: [],
        accounts: [],
        terminals: { items: [], ordering: null },
        personalDataErased: false,
      },
    ]);
    const { rows } = await fixture.api.pool.query<{ text: string }>(
      `SELECT (events.*)::text || (d.*)::text AS text FROM events, merchant_details d
        WHERE stream_id = $1 AND merchant_id = $1`,
      [merchant['id']],
    );
    expect(rows).toHaveLength(2);
    for (const secret of ['Camille', 'Martin', 'FR76', '73282932', 'example.test']) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    const read = await fixture.api.get(`/v1/merchants/${String(merchant['id'])}`, key);
    expect(read.body).toEqual(merchant);
  });

  test.each(Object.entries(ONBOARD_EXAMPLES))(
    'is created from the example of the API reference, sent unchanged: %s',
    async (_, { value }) => expect((await post(value)).status).toBe(201),
  );

  test('is created only once, with its details stored only once, under one Idempotency-Key', async () => {
    const body = onboardBody();
    const once = randomText(16);
    const first = await post(body, once);
    const rows = await detailRows();
    const second = await post(body, once);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await detailRows()).toBe(rows);
  });

  test('is rejected when another merchant has the same reference', async () => {
    const body = onboardBody();
    const first = await post(body);
    const rows = await detailRows();
    expect(await post({ ...body, details: leastDetails() })).toMatchObject({
      status: 409,
      body: {
        code: 'reference_taken',
        detail: expect.stringContaining(`merchant ${String(first.body['id'])}`),
        errors: [{ pointer: '#/reference' }],
      },
    });
    expect(await detailRows()).toBe(rows);
  });

  test('is rejected when no partner key is configured for its mode', async () => {
    expect(await post(onboardBody(leastDetails(), { mode: 'live' }))).toMatchObject({
      status: 422,
      body: { code: 'mode_not_offered', errors: [{ pointer: '#/mode' }] },
    });
  });
});

describe('a merchant’s details are rejected, without a call to the provider, because of', () => {
  const at = (pointer: string) => ({ pointer: `#/details/${pointer}` });
  test.each<[string, Record<string, unknown>, string]>([
    ['a missing field', { company: { legalName: undefined } }, 'company/legalName'],
    ['an unknown field', { company: { 'legal-name': 'x' } }, 'company/legal-name'],
    ['an unknown country', { company: { country: 'ZZ' } }, 'company/country'],
    ['a country code of three letters', { company: { country: 'fra' } }, 'company/country'],
    ['a legal form of another country', { company: { legalForm: 'de_gmbh' } }, 'company/legalForm'],
    [
      'a SIREN with a wrong check digit',
      { company: { registrationNumber: '732829321' } },
      'company/registrationNumber',
    ],
    [
      'a SIRET with a wrong check digit',
      { company: { registrationNumber: '73282932000018' } },
      'company/registrationNumber',
    ],
    [
      'an IBAN with a wrong check digit',
      { payoutAccount: { iban: 'FR7630006000011234567890188' } },
      'payoutAccount/iban',
    ],
    ['a date in the future', { company: { registeredOn: '2099-01-01' } }, 'company/registeredOn'],
    ['an invalid date', { company: { registeredOn: '2019-02-30' } }, 'company/registeredOn'],
    [
      'an unknown activity code',
      { company: { activity: { code: '47.71X' } } },
      'company/activity/code',
    ],
    [
      'an unknown range of the average basket',
      { company: { activity: { averageBasket: '1_to_2' } } },
      'company/activity/averageBasket',
    ],
    [
      'an unknown range of the turnover',
      { company: { activity: { forecastTurnover: '1_to_2' } } },
      'company/activity/forecastTurnover',
    ],
    ['an unknown sector', { company: { activity: { sector: 'none' } } }, 'company/activity/sector'],
    ['an unknown product', { products: ['online_payments', 'none'] }, 'products/1'],
    [
      'an address in an unknown country',
      { company: { address: { country: 'ZZ' } } },
      'company/address/country',
    ],
    [
      'a phone number without a country code',
      { deliveryAddress: { phone: '0612345678' } },
      'deliveryAddress/phone',
    ],
    [
      'a percentage above 100',
      { owners: [{ person: person('A'), ownershipPercent: 101 }] },
      'owners/0/ownershipPercent',
    ],
    [
      'percentages that sum to more than 100',
      {
        owners: [
          { person: person('A'), votingPercent: 60 },
          { person: person('B'), votingPercent: 60 },
        ],
      },
      'owners',
    ],
    [
      'an unknown position of a representative',
      { representatives: [{ person: person('A'), position: 'none' }] },
      'representatives/0/position',
    ],
    [
      'a representative that is neither a person nor a company',
      { representatives: [{}] },
      'representatives/0',
    ],
    [
      'a legal person without representatives',
      {
        representatives: [
          {
            company: {
              legalForm: 'fr_sas',
              country: 'FR',
              registrationNumber: '552081317',
              legalName: 'Holding',
              representatives: [],
            },
          },
        ],
      },
      'representatives/0/company/representatives',
    ],
    [
      'a nested legal form',
      {
        representatives: [
          {
            company: {
              legalForm: 'de_gmbh',
              country: 'FR',
              registrationNumber: '552081317',
              legalName: 'Holding',
              representatives: [{ person: person('A') }],
            },
          },
        ],
      },
      'representatives/0/company/legalForm',
    ],
  ])('%s', async (_, change, pointer) => {
    const before = await detailRows();
    const { status, body } = await post(onboardBody(leastDetails(change)));
    expect([status, body]).toEqual([
      422,
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining(at(pointer))],
      }),
    ]);
    expect(await detailRows()).toBe(before);
  });

  test('an unknown language code', async () => {
    const contact = { language: 'xx' };
    expect((await post(onboardBody(leastDetails({ contact })))).body['errors']).toEqual([
      expect.objectContaining(at('contact/language')),
    ]);
  });
});

test('a merchant’s details are accepted with a legal form of the company’s country', async () => {
  const { status } = await post(
    onboardBody(
      leastDetails({
        company: {
          country: 'DE',
          legalForm: 'de_gmbh',
          registrationNumber: 'HRB 12345',
          activity: { averageBasket: '20_to_50' },
        },
      }),
    ),
  );
  expect(status).toBe(201);
});

describe('a change of a merchant’s details', () => {
  test('is merged into the stored details after a rejected registration, and starts another registration', async () => {
    const { body } = await post(onboardBody(sellerDetails()));
    const id = String(body['id']);
    await fixture.execute(id, {
      type: 'ObserveRegistrationRejection',
      reason: 'wrong-iban',
      at: fixture.now(),
      fields: [],
    });
    const wrong = await patch(id, { company: { legalForm: 'de_gmbh' } });
    expect(wrong.body['errors']).toEqual(
      expect.arrayContaining([expect.objectContaining({ pointer: '#/details/company/legalForm' })]),
    );
    expect((await patch(id, {})).status).toBe(422);
    const rows = await detailRows();
    const change = await patch(id, {
      company: { legalName: 'Atelier Nouveau', address: { city: 'Lyon' } },
      payoutAccount: null,
      contact: { phone: '+33612345679' },
    });
    expect([change.status, change.body['status']]).toEqual([200, 'requested']);
    const { body: read } = await fixture.api.get(`/v1/merchants/${id}/details`, key);
    expect(read).toMatchObject({
      source: 'stored',
      details: {
        company: {
          legalName: 'Atelier Nouveau',
          address: { line1: '12 rue des Lilas', city: 'Lyon' },
        },
        contact: { lastName: 'Martin', phone: '+33612345679', language: 'fr' },
        owners: [{ person: { firstName: 'Camille' } }],
      },
    });
    expect(read['details'] as object).not.toHaveProperty('payoutAccount');
    expect(await detailRows()).toBe(rows);
  });

  test('is rejected during the registration, until the registration’s result is known', async () => {
    const { body } = await post(onboardBody());
    const id = String(body['id']);
    await fixture.execute(id, { type: 'RequestRegistration', at: fixture.now() });
    const rows = await detailRows();
    expect(await patch(id, { company: { website: 'https://a.example.test' } })).toMatchObject({
      status: 409,
      body: { code: 'registration_in_progress' },
    });
    expect(await detailRows()).toBe(rows);
  });

  test('is not lost when the company is registered meanwhile, and is then made at the provider', async () => {
    const { body } = await post(onboardBody(sellerDetails()));
    const id = String(body['id']);
    const rows = await detailRows();
    // This list of codes is not cached yet, so the check of the change waits for the provider.
    const route = 'GET /api/partners/legal-form-position';
    const delayMs = 3_000;
    await fixture.sandbox.addFault({ route, kind: 'delay', delayMs, count: 1 });
    const company = { legalForm: 'fr_sasu' };
    const early = patch(id, { company });
    await waitFor(() => fixture.sandbox.haveAllFaultsHit());
    const companyId = await fixture.register(id);
    expect(await early).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(await detailRows()).toBe(rows);
    expect((await patch(id, { company })).status).toBe(200);
    expect((await fixture.client.getCompany(companyId)).details.company?.legalForm).toBe('fr_sasu');
    const { body: timeline } = await fixture.api.get(`/v1/merchants/${id}/timeline`, key);
    const types = (timeline['items'] as { type: string }[]).map(({ type }) => type);
    expect(types.filter((type) => type === 'DetailsRevised')).toHaveLength(1);
  });

  test('is to be repeated when the stored details were deleted since the merchant was read, because the company was registered', async () => {
    const { body } = await post(onboardBody());
    const id = String(body['id']);
    await fixture.api.pool.query('DELETE FROM merchant_details WHERE merchant_id = $1', [id]);
    for (const answer of [
      await patch(id, { company: { website: 'https://a.example.test' } }),
      await fixture.api.get(`/v1/merchants/${id}/details`, key),
    ])
      expect(answer).toMatchObject({ status: 503, body: { code: 'busy' } });
  });

  test('corrects a field for which the provider had rejected the registration', async () => {
    const { body } = await post(onboardBody());
    const id = String(body['id']);
    await fixture.execute(id, { type: 'RequestRegistration', at: fixture.now() });
    await fixture.execute(id, {
      type: 'ObserveRegistrationRejection',
      reason: 'email_unavailable',
      at: fixture.now(),
      fields: [],
    });
    const { body: rejected } = await fixture.api.get(`/v1/merchants/${id}`, key);
    expect(rejected).toMatchObject({
      status: 'rejected',
      rejection: { code: 'email_unavailable', pointers: ['#/details/contact/email'] },
      orders: { enabled: false, reason: expect.stringContaining('correct the fields') },
    });
    const email = `other-${randomText(8)}@example.test`;
    expect((await patch(id, { contact: { email } })).status).toBe(200);
    const companyId = await fixture.register(id);
    expect((await fixture.client.getCompany(companyId)).identity.email).toBe(email);
  });

  test('updates the company at the provider, if the company is registered', async () => {
    const { id, companyId } = await fixture.registered(key);
    const { status, body } = await patch(id, {
      company: { website: 'https://new.example.test' },
      deliveryAddress: { line2: 'au fond' },
    });
    expect([status, body['status']]).toEqual([200, 'incomplete']);
    expect((await fixture.client.getCompany(companyId)).details.company?.website).toBe(
      'https://new.example.test',
    );
    const { body: timeline } = await fixture.api.get(`/v1/merchants/${id}/timeline`, key);
    const items = timeline['items'] as { type: string; data: object }[];
    expect(items.find(({ type }) => type === 'DetailsRevised')?.data).toMatchObject({
      fields: ['deliveryAddress', 'company.website'],
    });
    expect(await patch(id, { owners: [] })).toMatchObject({
      status: 409,
      body: { code: 'people_not_replaceable', errors: [{ pointer: '#/details/owners' }] },
    });
  });

  test('is rejected with the provider’s code and the field, if the provider rejects the change', async () => {
    const { id: other } = await fixture.registered(key);
    const { body } = await fixture.api.get(`/v1/merchants/${other}/details`, key);
    const details = body['details'] as { contact: { email: string } };
    const { email } = details.contact;
    const { id, companyId } = await fixture.registered(key);
    expect(await patch(id, { contact: { email } })).toMatchObject({
      status: 409,
      body: { code: 'email_unavailable', errors: [{ pointer: '#/details/contact/email' }] },
    });
    await fixture.moveTo(id, companyId, 'in_review');
    expect(await patch(id, { payoutAccount: { iban: 'DE89370400440532013000' } })).toMatchObject({
      status: 409,
      body: { code: 'not_allowed', errors: [{ pointer: '#/details/payoutAccount/iban' }] },
    });
  });
});

test('personal data that is deleted before the merchant is registered stays deleted', async () => {
  const { body } = await post(onboardBody());
  const id = String(body['id']);
  const erase = () => fixture.api.call('DELETE', `/v1/merchants/${id}/personal-data`, { key });
  expect((await erase()).status).toBe(204);
  expect((await erase()).status).toBe(204);
  const { rows } = await fixture.api.pool.query(
    'SELECT ref FROM merchant_details WHERE merchant_id = $1',
    [id],
  );
  expect(rows).toEqual([]);
  expect((await fixture.api.get(`/v1/merchants/${id}`, key)).body).toMatchObject({
    status: 'requested',
    personalDataErased: true,
  });
  for (const answer of [
    await fixture.api.get(`/v1/merchants/${id}/details`, key),
    await patch(id, { company: { website: 'https://a.example.test' } }),
  ])
    expect(answer).toMatchObject({ status: 409, body: { code: 'personal_data_erased' } });
  await fixture.execute(id, {
    type: 'ObserveRegistrationRejection',
    reason: 'details_erased',
    fields: [],
    at: fixture.now(),
  });
  const again = expect.stringContaining('with another reference');
  expect((await fixture.api.get(`/v1/merchants/${id}`, key)).body).toMatchObject({
    status: 'rejected',
    rejection: { code: 'personal_data_erased', detail: again, pointers: [] },
    orders: { enabled: false, reason: again },
  });
});
