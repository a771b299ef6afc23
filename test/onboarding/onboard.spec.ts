import { randomText } from '#kernel';
import { ONBOARD_EXAMPLES } from '../../apps/api/merchants/merchant.dto.js';
import { person, sellerDetails } from '../../tools/stack/seller.js';
import { leastDetails, onboardBody, OnboardingFixture } from '../support/onboarding.js';

/** POST and PATCH /v1/merchants, with the sandbox as the provider. */

let fixture: OnboardingFixture;
let platformId: string;
let key: string;

beforeAll(async () => {
  fixture = await OnboardingFixture.start();
  platformId = `p-${randomText(8)}`;
  key = await fixture.api.newKey(platformId);
}, 120_000);
afterAll(() => fixture.stop(), 60_000);

const post = (body: unknown, idempotencyKey?: string) =>
  fixture.api.post('/v1/merchants', key, body, idempotencyKey);
const patch = (id: string, details: unknown) =>
  fixture.api.call('PATCH', `/v1/merchants/${id}`, { key, body: { details } });
const detailRows = async (): Promise<number> => {
  const { rows } = await fixture.api.pool.query<{ n: string }>(
    'SELECT count(*) AS n FROM merchant_details');
  return Number(rows[0]?.n);
};

describe('a merchant that is onboarded', () => {
  test('is drafted, and its details are sealed and in no event', async () => {
    const body = onboardBody(sellerDetails(), { firstTerminal: 'Counter' });
    const { status, body: merchant } = await post(body);
    expect([status, merchant]).toEqual([201, {
      id: expect.stringMatching(/^mer_/), status: 'requested', reference: body['reference'],
      mode: 'test', orders: { open: false, reason: expect.stringContaining('being registered') },
      rejection: null, companyId: null, missing: null, statusChanges: [], documents: [],
      accounts: [], terminals: { items: [], ordering: null }, personalDataErased: false,
    }]);
    const { rows } = await fixture.api.pool.query<{ text: string }>(
      `SELECT (events.*)::text || (d.*)::text AS text FROM events, merchant_details d
        WHERE stream_id = $1 AND merchant_id = $1`, [merchant['id']]);
    expect(rows).toHaveLength(2);
    for (const secret of ['Camille', 'Martin', 'FR76', '73282932', 'example.test']) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
    const read = await fixture.api.get(`/v1/merchants/${String(merchant['id'])}`, key);
    expect(read.body).toEqual(merchant);
  });

  test.each(Object.entries(ONBOARD_EXAMPLES))(
    'may be the example of the reference as it stands: %s',
    async (_, { value }) => expect((await post(value)).status).toBe(201),
  );

  test('twice under one Idempotency-Key is one, and leaves one row of details', async () => {
    const body = onboardBody();
    const once = randomText(16);
    const first = await post(body, once);
    const rows = await detailRows();
    const second = await post(body, once);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await detailRows()).toBe(rows);
  });

  test('has a reference of its own', async () => {
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

  test('is refused where there is no partner key of its mode', async () => {
    expect(await post(onboardBody(leastDetails(), { mode: 'live' }))).toMatchObject({
      status: 422, body: { code: 'mode_not_offered', errors: [{ pointer: '#/mode' }] },
    });
  });
});

describe('before the provider is asked, details are refused for', () => {
  const at = (pointer: string) => ({ pointer: `#/details/${pointer}` });
  test.each<[string, Record<string, unknown>, string]>([
    ['a missing field', { legalName: undefined }, 'legalName'],
    ['an unknown field', { 'legal-name': 'x' }, 'legal-name'],
    ['a country', { country: 'zzz' }, 'country'],
    ['a legal form of another country', { legalForm: 'deu-gmbh' }, 'legalForm'],
    ['a SIREN with a wrong check digit', { legalId: '732829321' }, 'legalId'],
    ['a SIRET with a wrong check digit', { legalId: '73282932000018' }, 'legalId'],
    ['an IBAN', { iban: 'FR7630006000011234567890188' }, 'iban'],
    ['a day to come', { dateRegistration: '2099-01-01' }, 'dateRegistration'],
    ['a day that is none', { dateRegistration: '2019-02-30' }, 'dateRegistration'],
    ['an activity', { activityReference: '47.71X' }, 'activityReference'],
    ['a basket', { averageBasket: '1_2' }, 'averageBasket'],
    ['a turnover', { forecastTurnover: '1_2' }, 'forecastTurnover'],
    ['a field of activity', { fieldOfActivity: 'none' }, 'fieldOfActivity'],
    ['a service', { services: [{ type: 'none' }] }, 'services/0/type'],
    ['an address', { headquartersAddress: { country: 'zzz' } }, 'headquartersAddress/country'],
    ['a phone', { shippingAddress: { phone: '0612345678' } }, 'shippingAddress/phone'],
    ['a share', { owners: [{ person: person('A'), capital: 1.1 }] }, 'owners/0/capital'],
    [
      'shares beyond the whole',
      { owners: [{ person: person('A'), votes: 0.6 }, { person: person('B'), votes: 0.6 }] },
      'owners',
    ],
    [
      'a position of another legal form',
      { representatives: [{ person: person('A'), position: 'none' }] },
      'representatives/0/position',
    ],
    ['a representative that is nobody', { representatives: [{}] }, 'representatives/0'],
    [
      'a legal person without representatives',
      {
        representatives: [{
          company: {
            legalForm: 'fra-sas', country: 'fra', legalId: '552081317', legalName: 'Holding',
            representatives: [],
          },
        }],
      },
      'representatives/0/company/representatives',
    ],
    [
      'a nested legal form',
      {
        representatives: [{
          company: {
            legalForm: 'deu-gmbh', country: 'fra', legalId: '552081317', legalName: 'Holding',
            representatives: [{ person: person('A') }],
          },
        }],
      },
      'representatives/0/company/legalForm',
    ],
  ])('%s', async (_, change, pointer) => {
    const before = await detailRows();
    const { status, body } = await post(onboardBody({ ...leastDetails(), ...change }));
    expect([status, body]).toEqual([422, expect.objectContaining({
      code: 'validation_failed', errors: [expect.objectContaining(at(pointer))],
    })]);
    expect(await detailRows()).toBe(before);
  });

  test('a language', async () => {
    const user = {
      firstName: 'A', lastName: 'B', contact: { email: 'a@example.test', lang: 'xx' },
    };
    expect((await post(onboardBody(leastDetails({ user })))).body['errors'])
      .toEqual([expect.objectContaining(at('user/contact/lang'))]);
  });

  test('but a company of any country and its own codes is taken', async () => {
    const { status } = await post(onboardBody(leastDetails({
      country: 'deu', legalForm: 'deu-gmbh', legalId: 'HRB 12345', averageBasket: '20_50',
    })));
    expect(status).toBe(201);
  });
});

describe('a change of the details', () => {
  test('after a rejection is merged into those that are kept here, and registered', async () => {
    const { body } = await post(onboardBody(sellerDetails()));
    const id = String(body['id']);
    await fixture.execute(id, {
      type: 'ObserveRegistrationRejection', reason: 'wrong-iban', at: fixture.now(), fields: [],
    });
    const wrong = await patch(id, { legalForm: 'deu-gmbh' });
    expect(wrong.body['errors']).toEqual(expect.arrayContaining([
      expect.objectContaining({ pointer: '#/details/legalForm' }),
    ]));
    expect((await patch(id, {})).status).toBe(422);
    const rows = await detailRows();
    const change = await patch(id, {
      legalName: 'Atelier Nouveau', iban: null, headquartersAddress: { city: 'Lyon' },
      user: { contact: { phone: '+33612345679' } },
    });
    expect([change.status, change.body['status']]).toEqual([200, 'requested']);
    const { body: read } = await fixture.api.get(`/v1/merchants/${id}/details`, key);
    expect(read).toMatchObject({
      source: 'here',
      details: {
        legalName: 'Atelier Nouveau',
        headquartersAddress: { line1: '12 rue des Lilas', city: 'Lyon' },
        user: { lastName: 'Martin', contact: { phone: '+33612345679', lang: 'fr' } },
        owners: [{ person: { firstName: 'Camille' } }],
      },
    });
    expect((read['details'] as object)).not.toHaveProperty('iban');
    expect(await detailRows()).toBe(rows);
  });

  test('while the company is being registered waits for the outcome', async () => {
    const { body } = await post(onboardBody());
    const id = String(body['id']);
    await fixture.execute(id, { type: 'RequestRegistration', at: fixture.now() });
    const rows = await detailRows();
    expect(await patch(id, { url: 'https://a.example.test' })).toMatchObject({
      status: 409, body: { code: 'registration_under_way' },
    });
    expect(await detailRows()).toBe(rows);
  });

  test('after a rejection is what it names, in our fields', async () => {
    const { body } = await post(onboardBody());
    const id = String(body['id']);
    await fixture.execute(id, { type: 'RequestRegistration', at: fixture.now() });
    await fixture.execute(id, {
      type: 'ObserveRegistrationRejection', reason: 'email_unavailable', at: fixture.now(),
      fields: [],
    });
    const { body: rejected } = await fixture.api.get(`/v1/merchants/${id}`, key);
    expect(rejected).toMatchObject({
      status: 'rejected',
      rejection: { code: 'email_unavailable', pointers: ['#/details/user/contact/email'] },
      orders: { open: false, reason: expect.stringContaining('correct the fields') },
    });
    const email = `other-${randomText(8)}@example.test`;
    expect((await patch(id, { user: { contact: { email } } })).status).toBe(200);
    const companyId = await fixture.register(id);
    expect((await fixture.client.getCompany(companyId)).identity.email).toBe(email);
  });

  test('after the registration is made at the provider', async () => {
    const { id, companyId } = await fixture.registered(key);
    const { status, body } = await patch(id, {
      url: 'https://new.example.test', shippingAddress: { line2: 'au fond' },
    });
    expect([status, body['status']]).toEqual([200, 'notComplete']);
    expect((await fixture.client.getCompany(companyId)).details.url)
      .toBe('https://new.example.test');
    const { body: timeline } = await fixture.api.get(`/v1/merchants/${id}/timeline`, key);
    const items = timeline['items'] as { type: string; data: object }[];
    expect(items.find(({ type }) => type === 'DetailsRevised')?.data)
      .toMatchObject({ fields: ['url', 'shippingAddress'] });
    expect(await patch(id, { owners: [] })).toMatchObject({
      status: 409, body: { code: 'heads_apart', errors: [{ pointer: '#/details/owners' }] },
    });
  });

  test('that the provider refuses tells its code and the field', async () => {
    const { id: other } = await fixture.registered(key);
    const { body } = await fixture.api.get(`/v1/merchants/${other}/details`, key);
    const details = body['details'] as { user: { contact: { email: string } } };
    const { email } = details.user.contact;
    const { id, companyId } = await fixture.registered(key);
    expect(await patch(id, { user: { contact: { email } } })).toMatchObject({
      status: 409,
      body: { code: 'email_unavailable', errors: [{ pointer: '#/details/user/contact/email' }] },
    });
    await fixture.moveTo(id, companyId, 'pendingActivation');
    expect(await patch(id, { iban: 'DE89370400440532013000' })).toMatchObject({
      status: 409, body: { code: 'not_allowed', errors: [{ pointer: '#/details/iban' }] },
    });
  });
});

test('personal data is erased for good, before the registration was made', async () => {
  const { body } = await post(onboardBody());
  const id = String(body['id']);
  const erase = () => fixture.api.call('DELETE', `/v1/merchants/${id}/personal-data`, { key });
  expect((await erase()).status).toBe(204);
  expect((await erase()).status).toBe(204);
  const { rows } = await fixture.api.pool.query(
    'SELECT ref FROM merchant_details WHERE merchant_id = $1', [id]);
  expect(rows).toEqual([]);
  expect((await fixture.api.get(`/v1/merchants/${id}`, key)).body)
    .toMatchObject({ status: 'requested', personalDataErased: true });
  for (const answer of [
    await fixture.api.get(`/v1/merchants/${id}/details`, key),
    await patch(id, { url: 'https://a.example.test' }),
  ]) expect(answer).toMatchObject({ status: 409, body: { code: 'personal_data_erased' } });
});
