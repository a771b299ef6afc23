import fc from 'fast-check';
import { detailsOf, ourPath, wireOf } from './onboarding-details.js';
import { COUNTRY, LEGAL_FORM, PERCENT, PRODUCT, RANGE, SNAKE } from './wire-codes.js';

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const country = fc.constantFrom('FR', 'DE', 'GB', 'US', 'XK', 'AQ');
const percent = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 10_000);

/** Objects in which each field is missing, null, or present. */
const some = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, fc.option(one)])),
    { requiredKeys: [] },
  );

/** Objects with at least one field, because the provider returns an empty object as null. */
const filled = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  some(fields).filter((value) => Object.keys(value).length > 0);

const address = some({ line1: word, postalCode: word, city: word, country });
const human = {
  firstName: word,
  lastName: word,
  address,
  residenceCountry: country,
  nationality: country,
  birth: some({ date: word, place: word, department: word, country }),
};
const company = {
  country,
  legalForm: fc.constantFrom('fr_sas', 'de_gmbh', 'gb_public_limited'),
  registrationNumber: word,
  legalName: word,
  address,
};
const person = fc.record({ id: word, ...human });
const representative = fc.record({
  person,
  position: fc.constantFrom('president', 'deputy_chief_executive'),
  reference: word,
});
const list = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(one, { maxLength: 3 });

const details = fc.record(
  {
    company: filled({
      ...company,
      registeredOn: word,
      website: word,
      passiveNonFinancialEntity: fc.boolean(),
    }).chain((fields) =>
      filled({
        code: word,
        sector: fc.constantFrom('fashion', 'arts_and_crafts'),
        averageBasket: fc.constant('50_to_100'),
        forecastTurnover: fc.constant('0_to_25000'),
      }).map((activity) => ({ ...fields, activity })),
    ),
    contact: some({ ...human, email: word, phone: word, language: word }),
    payoutAccount: filled({ iban: word }),
    products: list(fc.constantFrom('online_payments', 'direct_debits', 'another_product')),
    owners: list(
      fc.record({
        person,
        ownershipPercent: percent,
        votingPercent: percent,
        controls: fc.boolean(),
        reference: word,
      }),
    ),
    representatives: list(
      fc.oneof(
        representative,
        fc.record({
          company: fc.record({
            id: word,
            ...company,
            activity: fc.record({ code: word }),
            representatives: list(representative),
          }),
          position: word,
        }),
      ),
    ),
    deliveryAddress: some({
      line1: word,
      postalCode: word,
      city: word,
      country,
      businessName: word,
      line2: word,
      contactName: word,
      phone: word,
    }),
  },
  { requiredKeys: [] },
);

test('details are unchanged after they were converted to the provider’s format and back', () => {
  fc.assert(
    fc.property(details, (given) => {
      expect(detailsOf(wireOf(given as never))).toEqual(given);
    }),
  );
});

test('the provider’s codes are unchanged after they were converted to ours and back', () => {
  const codes = fc.stringMatching(/^[a-z]{3,8}(-[a-z]{1,6}){0,3}$/);
  fc.assert(
    fc.property(codes, (code) => {
      for (const { toWire, toOurs } of [LEGAL_FORM, SNAKE, PRODUCT, COUNTRY]) {
        expect(toWire(toOurs(code))).toBe(code);
      }
    }),
  );
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (from, to) => {
      expect(RANGE.toWire(RANGE.toOurs(`${from}_${to}`))).toBe(`${from}_${to}`);
    }),
  );
});

test.each([
  [COUNTRY, 'FR', 'fra'],
  [LEGAL_FORM, 'fr_sas', 'fra-sas'],
  [RANGE, '50_to_100', '50_100'],
  [SNAKE, 'deputy_chief_executive', 'deputy-chief-executive'],
  [PERCENT, 7, 0.07],
  [PRODUCT, 'online_payments', 'online-payment'],
  [COUNTRY, 'ZZ', 'ZZ'],
] as const)(
  'each kind of code is converted to the provider’s spelling and back',
  (code, ours, wire) => {
    expect(code.toWire(ours)).toBe(wire);
    expect(code.toOurs(wire)).toBe(ours);
  },
);

test('an object that only our API has, if it is null, is sent to the provider as null in each of its fields', () => {
  expect(
    wireOf({ company: { activity: null, address: null }, payoutAccount: null, products: null }),
  ).toEqual({
    'activity-reference': null,
    'field-of-activity': null,
    'average-basket': null,
    'forecast-turnover': null,
    'headquarters-address': null,
    iban: null,
    services: null,
  });
});

test.each([
  ['user.contact.email', 'contact.email'],
  ['user.contact', 'contact'],
  ['user.birth.date', 'contact.birth.date'],
  ['legal-id', 'company.registrationNumber'],
  ['headquarters-address.zip-code', 'company.address.postalCode'],
  ['activity-reference', 'company.activity.code'],
  ['iban', 'payoutAccount.iban'],
  ['services.0.type', 'products.0'],
  ['owners', 'owners'],
  ['owners.1.person.last-name', 'owners.1.person.lastName'],
  ['owners.1.capital', 'owners.1.ownershipPercent'],
  ['representatives.pers_1.position', 'representatives.pers_1.position'],
  [
    'representatives.0.company.representatives.1.person.birth.country',
    'representatives.0.company.representatives.1.person.birth.country',
  ],
  ['representatives.0.company.legal-form', 'representatives.0.company.legalForm'],
  ['shipping-address.contact-name', 'deliveryAddress.contactName'],
  ['meta.date-issue', 'meta.issuedOn'],
  ['signature', 'signature'],
])('the provider’s field path %s is mapped to our path', (path, ours) => {
  expect(ourPath(path)).toBe(ours);
});
