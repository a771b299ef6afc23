import fc from 'fast-check';
import { isValidIBAN } from 'ibantools';
import { Database } from '../../storage/database.js';
import { type Harness, LIVE_KEY, startHarness } from '../../testing/harness.js';
import { TEST_IBANS } from '../banks/test-values.js';
import { ibanIn } from './iban.js';
import { phoneIn } from './phone-number.js';

const IBAN = 'FR7600000000000000000000194';

describe('IBAN validation', () => {
  const valid = fc.constantFrom(...TEST_IBANS.map(({ value }) => value));

  test('accepts spaces, dashes and lower case', () => {
    fc.assert(
      fc.property(valid, fc.constantFrom(' ', '-', ''), (iban, between) => {
        const written = iban.toLowerCase().replace(/(.{4})(?=.)/g, `$1${between}`);
        expect(ibanIn(written)).toBe(iban);
      }),
    );
  });

  test('rejects an IBAN with a wrong, swapped or additional character', () => {
    fc.assert(
      fc.property(valid, fc.nat(), fc.constantFrom(...'0123456789'), (iban, at, digit) => {
        const place = 2 + (at % (iban.length - 2));
        const wrong = iban.slice(0, place) + digit + iban.slice(place + 1);
        if (wrong !== iban) expect(ibanIn(wrong)).toBeNull();
        expect(ibanIn(`${iban}${digit}`)).toBeNull();
        const [left = '', right = ''] = iban.slice(place - 1, place + 1);
        const exchanged = iban.slice(0, place - 1) + right + left + iban.slice(place + 1);
        if (exchanged !== iban) expect(ibanIn(exchanged)).toBeNull();
      }),
    );
  });

  test('returns an IBAN or null for any text, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 64 }), (text) => {
        const iban = ibanIn(text);
        if (iban !== null) expect(isValidIBAN(iban)).toBe(true);
      }),
    );
  });

  test('rejects impossible check digits', () => {
    // The check digits 02 and 99 have the same remainder modulo 97, so the checksum accepts both.
    expect(ibanIn('DE02000000000000001234')).toBeNull();
    const ambiguous = 'DE990000000000000';
    expect(ibanIn(ambiguous)).toBeNull();
  });
});

test.each([
  ['+33 6 39 98 00 12', 'DE', '+33639980012'],
  ['06 39 98 00 12', 'FR', '+33639980012'],
  ['0033 639980012', 'ES', '+33639980012'],
  ['+49 1511 2345678', 'FR', '+4915112345678'],
  ['12', 'FR', null],
  ['call me', 'FR', null],
])('the telephone number %s of a bank account in %s is read as %s', (typed, country, phone) => {
  expect(phoneIn(typed, country)).toBe(phone);
});

describe('the API of bank accounts', () => {
  let sandbox: Harness;

  beforeAll(async () => {
    sandbox = await startHarness();
  });
  afterAll(() => sandbox.stop());

  const create = (more: object = {}, key?: string) =>
    sandbox.call('POST', '/v2/sepa/', { name: 'Camille Martin', iban: IBAN, ...more }, key);

  test('returns the last digits of an account, never its IBAN', async () => {
    const bic = 'SANDFRPPXXX';
    const date = { date_mandate: '2026-01-31', mandate: 'OLD-REFERENCE-1' };
    const iban = 'fr76 0000 0000 0000 0000 0000 194';
    const { status, body } = await create({ iban, bic, ...date });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^sepa_[a-zA-Z0-9]{24}$/),
      created: expect.any(Number),
      deleted: false,
      last4: '0194',
      name: 'Camille Martin',
      bic,
      customer: null,
      ...date,
    });
    const read = await sandbox.call('GET', `/v2/sepa/${String(body['id'])}`);
    expect(read.body).toEqual(body);
  });

  test('stores the IBAN neither in tables nor in events', async () => {
    await create();
    const database = sandbox.http.app.get(Database, { strict: false });
    const [row] = await database.query<{ kept: string }>({
      name: 'spec:kept',
      text: `SELECT string_agg(to_jsonb(sepa)::text, ' ') AS kept FROM sepa`,
    });
    expect(row?.kept).toContain('0194');
    expect(row?.kept).not.toContain(IBAN.slice(4, 20));
    const events = await sandbox.call('GET', '/v2/events');
    expect(JSON.stringify(events.body)).not.toContain(IBAN.slice(4, 20));
  });

  test.each([
    ['without a name', { name: undefined }, ['body', 'name']],
    ['with a mistyped IBAN', { iban: 'FR7600000000000000000000195' }, ['body', 'iban']],
    ['with an IBAN too short for its country', { iban: 'FR76000000000000' }, ['body', 'iban']],
    ['with an invalid BIC', { bic: 'nope' }, ['body', 'bic']],
    ['with a reference of 36 characters', { mandate: 'x'.repeat(36) }, ['body', 'mandate']],
    ['with an unknown key', { number: '1' }, ['body', 'number']],
    ['with a date that does not exist', { date_mandate: '2026-02-30' }, ['body', 'date_mandate']],
    [
      'of a customer that does not exist',
      { customer: `cust_${'a'.repeat(24)}` },
      ['body', 'customer'],
    ],
  ])('rejects an account %s and names the field', async (_what, more, loc) => {
    const before = await sandbox.call('GET', '/v2/sepa?limit=100');
    const { status, body } = await create(more);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc }] });
    expect(JSON.stringify(body)).not.toContain('76000000');
    const after = await sandbox.call('GET', '/v2/sepa?limit=100');
    expect(after.body['range']).toEqual(before.body['range']);
  });

  test('allows changes of every field but the IBAN', async () => {
    const customer = await sandbox.call('POST', '/v2/customers', { email: 'camille@example.org' });
    const { body } = await create();
    const path = `/v2/sepa/${String(body['id'])}`;
    const given = { name: 'Camille Durand', customer: customer.body['id'] };
    const { status, body: changed } = await sandbox.call('PATCH', path, given);
    expect(status).toBe(200);
    expect(changed).toEqual({ ...body, ...given });
    expect((await sandbox.call('PATCH', path, { iban: IBAN })).status).toBe(422);
    expect((await sandbox.call('GET', path)).body).toEqual(changed);
  });

  test('returns the deleted account in response to DELETE, and 404 to every later GET', async () => {
    const { body } = await create();
    const path = `/v2/sepa/${String(body['id'])}`;
    expect((await sandbox.call('DELETE', path)).body).toEqual({ ...body, deleted: true });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const { status, body: error } = await sandbox.call(
        method,
        path,
        method === 'PATCH' ? { name: 'Other Name' } : undefined,
      );
      expect(status).toBe(404);
      expect(error).toEqual({ error: `SEPA \`${String(body['id'])}\` not found` });
    }
    const list = (await sandbox.call('GET', '/v2/sepa?limit=100')).body as unknown as {
      sepa: readonly { id: string }[];
    };
    expect(list.sepa.map(({ id }) => id)).not.toContain(body['id']);
  });

  test('lists the accounts of the key’s mode, newest first', async () => {
    const [test1, live1] = [await create(), await create({}, LIVE_KEY)];
    const path = `/v2/sepa/${String(test1.body['id'])}`;
    expect((await sandbox.call('GET', path, undefined, LIVE_KEY)).status).toBe(404);
    const list = await sandbox.call('GET', '/v2/sepa/?limit=1', undefined, LIVE_KEY);
    expect(list.body).toMatchObject({ sepa: [live1.body], range: { start: 0, end: 0, limit: 1 } });
  });
});
