import { newId } from '#kernel';
import { MerchantDetails } from '#onboarding';
import { createSecretBox } from '#platform';
import { hostedDetailsOf } from '#psp-hosted';
import { createDatabase, specPool } from '#testing';

/**
 * A merchant's details in the format that the previous release encrypted: the body of the
 * provider's POST /company.
 */
const OLDER = {
  user: {
    'first-name': 'Camille',
    'last-name': 'Martin',
    'country-residence': 'fra',
    contact: { email: 'camille@example.test', lang: 'fr' },
  },
  country: 'fra',
  'legal-form': 'fra-sas',
  'legal-id': '732829320',
  'legal-name': 'Atelier',
  iban: 'FR7630006000011234567890189',
  services: [{ type: 'online-payment' }],
  'average-basket': '50_100',
  owners: [{ person: { 'first-name': 'Camille', 'last-name': 'Martin' }, capital: 0.25 }],
};

test('details that an earlier release stored with the provider’s field names are returned with our field names', async () => {
  const database = await createDatabase('orchestrator');
  const pool = specPool(database.urlFor('api'), 1);
  try {
    const box = createSecretBox(`spec:${Buffer.alloc(32, 7).toString('base64')}`);
    const details = new MerchantDetails(pool, box, hostedDetailsOf);
    const older = await details.keep(newId('mer'), OLDER as never);
    const read = await details.read(older);
    expect(read).toEqual({
      company: {
        country: 'FR',
        legalForm: 'fr_sas',
        registrationNumber: '732829320',
        legalName: 'Atelier',
        activity: { averageBasket: '50_to_100' },
      },
      contact: {
        firstName: 'Camille',
        lastName: 'Martin',
        residenceCountry: 'FR',
        email: 'camille@example.test',
        language: 'fr',
      },
      payoutAccount: { iban: 'FR7630006000011234567890189' },
      products: ['online_payments'],
      owners: [{ person: { firstName: 'Camille', lastName: 'Martin' }, ownershipPercent: 25 }],
    });
    if (read === null) throw new Error('the details are stored');
    expect(await details.read(await details.keep(newId('mer'), read))).toEqual(read);
  } finally {
    await pool.end();
    await database.drop();
  }
});
