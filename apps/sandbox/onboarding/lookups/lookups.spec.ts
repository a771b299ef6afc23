import mcc from 'mcc';
import { type Harness, startHarness } from '../../testing/harness.js';
import { ACTIVITIES } from '../codes/activities.js';
import { KNOWN_CATEGORIES } from '../codes/activity-categories.js';
import { ask } from '../testing/partner.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const list = async <T>(path: string): Promise<readonly T[]> => {
  const { status, body } = await ask(sandbox, 'GET', path);
  expect(status).toBe(200);
  return body as readonly T[];
};

interface Row {
  readonly code: string;
  readonly name: string;
}

test('naf-code returns all 732 activity sub-classes, each with an existing merchant category', async () => {
  const rows = await list<Row & { mcc: number }>('/naf-code');
  expect(rows).toHaveLength(732);
  expect(new Set(rows.map(({ code }) => code)).size).toBe(732);
  for (const row of rows) {
    expect(row.code).toMatch(/^\d\d\.\d\d[A-Z]$/);
    expect(row.name.length).toBeGreaterThan(2);
    expect([row.mcc, mcc.get(row.mcc)?.edited_description]).toEqual([row.mcc, expect.any(String)]);
  }
});

test.each([
  ['47.11D', 5411],
  ['56.10A', 5812],
  ['56.10C', 5814],
  ['96.02A', 7230],
  ['47.73Z', 5912],
  ['62.01Z', 7372],
  ['55.10Z', 7011],
  ['49.32Z', 4121],
  ['92.00Z', 7995],
  ['86.23Z', 8021],
])('the activity %s has the category %i', (code, category) => {
  expect(ACTIVITIES.find((activity) => activity.code === code)?.mcc).toBe(category);
});

test('every merchant category of an activity is a known category', () => {
  expect([...KNOWN_CATEGORIES].filter((code) => mcc.get(code) === undefined)).toEqual([]);
});

test('countries returns the countries and territories allowed for a purpose, as lower-case alpha3', async () => {
  const address = await list<string>('/countries?type=address');
  const birth = await list<string>('/countries?type=birth');
  const nationality = await list<string>('/countries?type=nationality');
  const legalForm = await list<string>('/countries?type=legal_form');
  expect(address.length).toBeGreaterThanOrEqual(249);
  expect(address.every((code) => /^[a-z]{3}$/.test(code))).toBe(true);
  expect(birth).toEqual(address);
  expect(address).toContain('ata');
  expect(nationality).not.toContain('ata');
  expect(legalForm).toEqual(expect.arrayContaining(['fra', 'deu', 'bel', 'che', 'gbr']));
  expect(legalForm.filter((code) => !address.includes(code))).toEqual([]);
});

test('currency returns the currencies in circulation, as lower-case alpha3', async () => {
  const currencies = await list<string>('/currency');
  expect(currencies).toEqual(expect.arrayContaining(['eur', 'usd', 'gbp', 'chf', 'jpy', 'xof']));
  expect(currencies.length).toBeGreaterThan(150);
  expect(currencies).not.toContain('xau');
});

test('language returns two-letter codes with the name of each', async () => {
  const languages = await list<Row>('/language');
  expect(languages.length).toBeGreaterThan(170);
  expect(languages).toContainEqual({ code: 'fr', name: 'French' });
  expect(languages.filter(({ code, name }) => name === code || name === '')).toEqual([]);
});

test.each(['average-basket', 'forecast-turnover'])(
  '%s returns consecutive ranges in the requested currency',
  async (path) => {
    const euro = await list<Row & { minimum: number; maximum: number }>(`/${path}?currency=eur`);
    euro.forEach(({ code, minimum, maximum }, index) => {
      expect(code).toBe(`${minimum}_${maximum}`);
      expect(minimum).toBe(index === 0 ? 0 : euro[index - 1]?.maximum);
      expect(maximum).toBeGreaterThan(minimum);
    });
    expect(await list(`/${path}?currency=jpy`)).not.toEqual(euro);
    expect((await ask(sandbox, 'GET', `/${path}?currency=zzz`)).body).toEqual({
      type: 'validation',
      message: 'the request is not valid',
      errors: [{ field: 'currency', message: 'must be a code from the currency lookup' }],
    });
  },
);

test('legal-form returns the forms of a country, and whether each is a legal person', async () => {
  const forms = await list<Row & { label: string }>('/legal-form?country=fra');
  expect(forms).toContainEqual({
    code: 'fra-sas',
    label: 'SAS',
    description: 'Société par actions simplifiée',
    'has-legal-status': true,
  });
  expect(forms).toContainEqual({
    code: 'fra-ei',
    label: 'EI',
    description: 'Entrepreneur individuel',
    'has-legal-status': false,
  });
  for (const country of await list<string>('/countries?type=legal_form')) {
    const rows = await list<Row>(`/legal-form?country=${country}`);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { code } of rows) expect(code.startsWith(`${country}-`)).toBe(true);
  }
});

test('legal-form-position returns the positions of representatives, for every legal form', async () => {
  expect(await list('/legal-form-position?legal-form=fra-sas')).toContainEqual({
    code: 'president',
    name: 'President',
  });
  expect(await list('/legal-form-position?legal-form=fra-ei')).toEqual([
    { code: 'owner', name: 'Owner' },
  ]);
});

test('field-of-activity and service return codes and names', async () => {
  for (const path of ['/field-of-activity', '/service']) {
    const rows = await list<Row>(path);
    expect(rows.length).toBeGreaterThan(4);
    expect(new Set(rows.map(({ code }) => code)).size).toBe(rows.length);
  }
  expect((await list<Row>('/service')).map(({ code }) => code)).toContain('payment-terminal');
});

test.each([
  ['/countries?type=elsewhere', 'type'],
  ['/countries', 'type'],
  ['/average-basket', 'currency'],
  ['/forecast-turnover?currency=EUR', 'currency'],
  ['/legal-form', 'country'],
  ['/legal-form?country=atl', 'country'],
  ['/legal-form-position', 'legal-form'],
  ['/legal-form-position?legal-form=fra', 'legal-form'],
])('an unknown or missing query value is rejected with 422: %s', async (path, field) => {
  const { status, body } = await ask(sandbox, 'GET', path);
  expect(status).toBe(422);
  expect(body).toMatchObject({ type: 'validation', errors: [{ field }] });
});
