import { type Harness, startHarness } from '../../testing/harness.js';
import {
  type CompanyReply,
  fullCompany,
  person,
  readCompany,
  SHIPPING,
} from '../testing/company.js';
import { ask, type PartnerReply } from '../testing/partner.js';
import { signedCompany } from '../testing/registration.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

describe('a company after the signature', () => {
  let made: CompanyReply;
  beforeAll(async () => {
    made = await signedCompany(sandbox, fullCompany({ 'shipping-address': null }));
  });
  const change = (body: object): Promise<PartnerReply> =>
    ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, body);

  test.each<[string, object]>([
    ['shipping-address', { 'shipping-address': SHIPPING }],
    ['url', { url: 'https://new.example.test' }],
    ['average-basket', { 'average-basket': '100_250' }],
    ['forecast-turnover', { 'forecast-turnover': '250000_500000' }],
    ['field-of-activity', { 'field-of-activity': null }],
    ['user.contact', { user: { contact: { phone: '+33612345679', lang: 'en' } } }],
  ])('can still be changed by a PATCH of %s', async (_, body) => {
    expect([(await change(body)).status, body]).toEqual([200, body]);
  });

  test.each<[string, object]>([
    ['iban', { iban: 'DE89370400440532013000' }],
    ['legal-name', { url: 'https://other.example.test', 'legal-name': 'Another' }],
    ['legal-id', { 'legal-id': '732829320' }],
    ['country', { country: 'fra' }],
    ['services', { services: [] }],
    ['pnfe', { pnfe: true }],
    ['headquarters-address', { 'headquarters-address': { line1: 'elsewhere' } }],
    ['owners', { owners: [{ person: person('New', 'Owner') }] }],
    ['representatives', { representatives: [{ person: person('New', 'Head') }] }],
    ['user.last-name', { user: { 'last-name': 'Another' } }],
  ])(
    'rejects a PATCH of %s, which the contract contains, with a 409 that names the field',
    async (field, body) => {
      const before = await readCompany(sandbox, made.company.id);
      expect(await change(body)).toMatchObject({
        status: 409,
        body: { type: 'not-allowed', message: expect.stringContaining(`\`${field}\``) },
      });
      expect(await readCompany(sandbox, made.company.id)).toEqual(before);
    },
  );

  test('rejects a DELETE of an owner, a representative or a document', async () => {
    const before = await readCompany(sandbox, made.company.id);
    const people = [
      ['owner', made.company.owners[1]?.person.id],
      ['representative', made.company.representatives[0]?.person?.id],
    ];
    for (const [type, id] of people) {
      const query = `company=${made.company.id}&id=${id}&type=${type}`;
      expect(await ask(sandbox, 'DELETE', `/company-head?${query}`)).toMatchObject({
        status: 409,
        body: { type: 'not-allowed' },
      });
    }
    expect(before.company.owners[1]?.documents).toHaveLength(2);
    expect(await readCompany(sandbox, made.company.id)).toEqual(before);
  });
});
