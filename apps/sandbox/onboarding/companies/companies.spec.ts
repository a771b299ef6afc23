import { type Harness, startHarness } from '../../testing/harness.js';
import { misfits } from '../testing/answers.js';
import {
  ADDRESS,
  type CompanyReply,
  createCompany,
  fullCompany,
  IBAN,
  person,
  readCompany,
  smallCompany,
} from '../testing/company.js';
import { ask, LIVE, OTHER } from '../testing/partner.js';
import { companyAnswerSchema } from './company-answer.js';

let sandbox: Harness;
beforeAll(async () => {
  sandbox = await startHarness();
});
afterAll(() => sandbox.stop());

const patch = async (id: string, body: object): Promise<CompanyReply> => {
  const answer = await ask(sandbox, 'PATCH', `/company?id=${id}`, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
};

/** The names of the fields that a 422 response reports. */
const faultsOf = async (method: string, path: string, body: object): Promise<string[]> => {
  const { status, body: answer } = await ask(sandbox, method, path, body);
  const { type, errors } = answer as { type: string; errors: { field: string }[] };
  expect([status, type]).toEqual([422, 'validation']);
  return errors.map(({ field }) => field).sort();
};

const refusedCreation = (more: object): Promise<string[]> =>
  faultsOf('POST', '/company', fullCompany(more));

describe('POST /company', () => {
  test('creates a company with the status notComplete from the required fields', async () => {
    const answer = await createCompany(sandbox, smallCompany());
    expect(misfits(companyAnswerSchema, answer)).toEqual([]);
    expect(answer.company).toMatchObject({
      status: 'notComplete',
      'legal-name': 'Atelier Lumière',
      'trade-name': 'Atelier Lumière',
      'legal-id': '73282932000017',
      url: null,
      iban: null,
      mcc: null,
      owners: [],
      representatives: [],
      accounts: [{ name: 'Atelier Lumière' }],
      country: { alpha2: 'fr', alpha3: 'fra', name: 'France', numeric: 250 },
      'legal-form': { code: 'fra-sas', label: 'SAS', 'has-legal-status': true },
    });
    expect(answer.user).toMatchObject({ 'first-name': 'Camille', 'last-name': 'Martin' });
  });

  test('returns every field in the format of the specification', async () => {
    const answer = await createCompany(sandbox);
    expect(misfits(companyAnswerSchema, answer)).toEqual([]);
    expect(answer.company).toMatchObject({
      'activity-reference': '47.71Z',
      mcc: { code: 5651, name: expect.any(String) },
      'average-basket': { code: '50_100', minimum: 50, maximum: 100 },
      'forecast-turnover': { code: '100000_250000', minimum: 100_000, maximum: 250_000 },
      'enabled-services': [{ type: 'online-payment' }, { type: 'payment-terminal' }],
      contact: { name: 'Camille Martin', phone: '+33612345678', lang: 'fr' },
      'headquarters-address': { 'business-name': 'Atelier Lumière', city: 'Paris' },
      iban: IBAN,
      pnfe: false,
      'date-registration': '2019-03-04',
      representatives: [
        {
          position: { code: 'president', name: 'President' },
          'transaction-identifier': 'person-1',
          person: { birth: { date: '1984-05-17', country: { alpha3: 'fra' } } },
        },
      ],
      owners: [
        { capital: 0.6, votes: 0.6, control: true },
        { capital: 0.4, control: false },
      ],
    });
  });

  test('creates a company that GET returns only for its id, and only to a key of the same partner and mode', async () => {
    const made = await createCompany(sandbox);
    expect(await readCompany(sandbox, made.company.id)).toEqual(made);
    for (const [id, key] of [
      [made.company.id, OTHER],
      [made.company.id, LIVE],
    ] as const) {
      const { status, body } = await ask(sandbox, 'GET', `/company?id=${id}`, undefined, key);
      expect([status, body]).toEqual([404, { type: 'not-found', message: `no company ${id}` }]);
    }
    expect((await ask(sandbox, 'GET', '/company?id=comp_x')).status).toBe(404);
    expect((await ask(sandbox, 'GET', '/company')).status).toBe(422);
  });

  test('rejects a body without required fields and names each of them', async () => {
    expect(await faultsOf('POST', '/company', {})).toEqual([
      'country',
      'legal-form',
      'legal-id',
      'legal-name',
      'user',
    ]);
    expect(await refusedCreation({ user: { 'first-name': 'A', contact: {} } })).toEqual([
      'user.contact.email',
      'user.last-name',
    ]);
  });

  test.each<[string, object]>([
    [
      'user.contact.email',
      { user: { 'first-name': 'A', 'last-name': 'B', contact: { email: 'a' } } },
    ],
    [
      'user.contact.phone',
      {
        user: {
          'first-name': 'A',
          'last-name': 'B',
          contact: { email: 'a@example.test', phone: '0612345678' },
        },
      },
    ],
    [
      'user.contact.lang',
      {
        user: {
          'first-name': 'A',
          'last-name': 'B',
          contact: { email: 'a@example.test', lang: 'fra' },
        },
      },
    ],
    ['country', { country: 'FRA' }],
    ['legal-form', { 'legal-form': 'deu-gmbh', representatives: [] }],
    ['legal-form', { 'legal-form': 'fra-none' }],
    ['legal-id', { 'legal-id': '732829321' }],
    ['legal-id', { 'legal-id': '73282932000018' }],
    ['legal-id', { 'legal-id': '7328293' }],
    ['date-registration', { 'date-registration': '2999-01-01' }],
    ['date-registration', { 'date-registration': '2019-02-30' }],
    ['url', { url: 'atelier' }],
    ['iban', { iban: 'FR7630006000011234567890188' }],
    ['services.0.type', { services: [{ type: 'none' }] }],
    ['activity-reference', { 'activity-reference': '47.71' }],
    ['average-basket', { 'average-basket': '1_2' }],
    ['forecast-turnover', { 'forecast-turnover': '1_2' }],
    ['field-of-activity', { 'field-of-activity': 'none' }],
    ['pnfe', { pnfe: 'no' }],
    ['headquarters-address.country', { 'headquarters-address': { country: 'fr' } }],
    ['shipping-address.phone', { 'shipping-address': { phone: '12' } }],
    ['owners.0.capital', { owners: [{ person: person('A', 'B'), capital: 1.1 }] }],
    ['owners.0.votes', { owners: [{ person: person('A', 'B'), votes: -0.1 }] }],
    ['owners.0.person.last-name', { owners: [{ person: { 'first-name': 'A' } }] }],
    [
      'owners.0.person.birth.date',
      { owners: [{ person: person('A', 'B', { birth: { date: '2999-01-01' } }) }] },
    ],
    [
      'owners.0.person.nationality',
      { owners: [{ person: person('A', 'B', { nationality: 'ata' }) }] },
    ],
    [
      'representatives.0.position',
      { representatives: [{ person: person('A', 'B'), position: 'manager' }] },
    ],
    ['legal-name', { 'legal-name': ' ' }],
    ['legal-name', { 'legal-name': 'a\0b' }],
    ['url', { url: 'https://example.test/9999000000000012' }],
  ])('rejects an invalid %s: %j', async (field, more) => {
    expect(await refusedCreation(more)).toEqual([field]);
  });

  test('rejects an unknown key at any depth and names its path', async () => {
    expect(await refusedCreation({ 'trade-name': 'x' })).toEqual(['trade-name']);
    const strange = { person: person('A', 'B', { address: { ...ADDRESS, 'line-2': 'x' } }) };
    expect(await refusedCreation({ owners: [strange] })).toEqual([
      'owners.0.person.address.line-2',
    ]);
  });

  test('rejects owners whose shares add up to more than 1', async () => {
    const owners = [
      { person: person('A', 'B'), capital: 0.6, votes: 0.5 },
      { person: person('C', 'D'), capital: 0.5, votes: 0.5 },
    ];
    expect(await refusedCreation({ owners })).toEqual(['owners']);
    const thirds = ['A', 'B', 'C'].map((name) => ({ person: person(name, 'X'), capital: 1 / 3 }));
    expect(
      (await createCompany(sandbox, fullCompany({ owners: thirds }))).company.owners,
    ).toHaveLength(3);
  });

  test('completes a SIREN to the SIRET of the head office, and keeps a SIRET', async () => {
    for (const given of ['732 829 320', '73282932000017', '732829320']) {
      const { company } = await createCompany(sandbox, smallCompany({ 'legal-id': given }));
      expect(company['legal-id']).toBe('73282932000017');
    }
  });

  test('keeps the register number of a company abroad unchanged', async () => {
    const { company } = await createCompany(
      sandbox,
      smallCompany({
        country: 'deu',
        'legal-form': 'deu-gmbh',
        'legal-id': 'HRB 86786',
      }),
    );
    expect(company['legal-id']).toBe('HRB 86786');
  });

  test('stores an IBAN and a phone number in normalised form', async () => {
    const { company } = await createCompany(
      sandbox,
      fullCompany({
        iban: 'fr76 3000 6000 0112 3456 7890 189',
      }),
    );
    expect(company.iban).toBe(IBAN);
  });

  test('rejects an email already used in the same mode, in upper or lower case', async () => {
    const body = smallCompany();
    const { email } = body.user.contact;
    await createCompany(sandbox, body);
    const shouted = { ...body, user: { ...body.user, contact: { email: email.toUpperCase() } } };
    for (const again of [body, shouted]) {
      expect(await ask(sandbox, 'POST', '/company', again)).toMatchObject({
        status: 409,
        body: { type: 'email-unavailable', message: 'email unavailable' },
      });
    }
    expect((await ask(sandbox, 'POST', '/company', body, OTHER)).status).toBe(409);
    expect((await createCompany(sandbox, body, LIVE)).company.status).toBe('notComplete');
  });

  test('rejects, in test mode, the test email of a company whose contract the service ended', async () => {
    const body = smallCompany({
      user: {
        'first-name': 'A',
        'last-name': 'B',
        contact: { email: 'terminated@example.test' },
      },
    });
    expect(await ask(sandbox, 'POST', '/company', body)).toMatchObject({
      status: 409,
      body: { type: 'email-terminated', message: 'email terminated' },
    });
  });

  test('accepts only one of several concurrent requests with the same email', async () => {
    const body = smallCompany();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => ask(sandbox, 'POST', '/company', body)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

describe('the API of owners and representatives', () => {
  test('returns an owner who is also a representative as one person, whose documents are shown under the representative', async () => {
    const { company, 'documents-to-upload': uploads, user } = await createCompany(sandbox);
    expect(company.owners[0]?.person.id).toBe(company.representatives[0]?.person?.id);
    expect(company.owners[0]?.person.id).toBe(user.person.id);
    expect(uploads['identity-documents'].map(({ id }) => id)).toEqual([
      company.representatives[0]?.person?.id,
      company.owners[1]?.person.id,
    ]);
    expect(uploads['identity-documents'][0]?.['transaction-identifier']).toBe('person-1');
  });

  test.each([
    ['the representative', 'representative-1', 'representative-1'],
    ['the owner, if the representative has none', undefined, 'owner-1'],
  ])(
    'returns the identity document of a person with two roles with the transaction-identifier of %s',
    async (_role, label, expected) => {
      const camille = person('Camille', 'Martin');
      const { company, 'documents-to-upload': uploads } = await createCompany(
        sandbox,
        fullCompany({
          owners: [{ person: camille, capital: 1, 'transaction-identifier': 'owner-1' }],
          representatives: [{ person: camille, 'transaction-identifier': label }],
        }),
      );
      const [document] = uploads['identity-documents'];
      expect(document?.['transaction-identifier']).toBe(expected);
      expect(company.representatives[0]?.['transaction-identifier']).toBe(label ?? null);
    },
  );

  const legalPerson = (more: object = {}) => ({
    company: {
      'legal-form': 'fra-sarl',
      country: 'fra',
      'legal-id': '732829320',
      'legal-name': 'Holding Lumière',
      'headquarters-address': ADDRESS,
      'activity-reference': '64.20Z',
      representatives: [{ person: person('Noa', 'Petit'), position: 'manager' }],
      ...more,
    },
    position: 'president',
  });

  test('accepts a legal person that is represented by another legal person', async () => {
    const outer = legalPerson({ representatives: [{ ...legalPerson(), position: 'manager' }] });
    const answer = await createCompany(sandbox, fullCompany({ representatives: [outer] }));
    expect(misfits(companyAnswerSchema, answer)).toEqual([]);
    const [representative] = answer.company.representatives;
    expect(representative?.company?.['legal-id']).toBe('73282932000017');
    const nested = representative?.company?.representatives[0]?.company?.representatives[0];
    expect(nested?.person?.['last-name']).toBe('Petit');
    expect(answer['documents-to-upload']['identity-documents'].map(({ id }) => id)).toContain(
      nested?.person?.id,
    );
  });

  test('rejects a legal person without a representative or without a required field of a company', async () => {
    expect(
      await refusedCreation({ representatives: [legalPerson({ representatives: [] })] }),
    ).toEqual(['representatives.0.company.representatives']);
    expect(await refusedCreation({ representatives: [{ company: { country: 'fra' } }] })).toEqual([
      'representatives.0.company.legal-form',
      'representatives.0.company.legal-id',
      'representatives.0.company.legal-name',
      'representatives.0.company.representatives',
    ]);
    const wrong = legalPerson({
      representatives: [{ person: person('A', 'B'), position: 'president' }],
    });
    expect(await refusedCreation({ representatives: [wrong] })).toEqual([
      'representatives.0.company.representatives.0.position',
    ]);
  });

  test('rejects a representative with both a person and a company, or with neither', async () => {
    const both = { ...legalPerson(), person: person('A', 'B') };
    expect(await refusedCreation({ representatives: [both] })).toEqual(['representatives.0']);
    expect(await refusedCreation({ representatives: [{ position: 'president' }] })).toEqual([
      'representatives.0',
    ]);
  });

  test('changes the people that a PATCH names by id, and adds the people without an id', async () => {
    const { company } = await createCompany(sandbox);
    const [representative] = company.representatives;
    const after = await patch(company.id, {
      owners: [{ person: { id: company.owners[1]?.person.id }, capital: 0.3 }],
      representatives: [
        { person: { id: representative?.person?.id, 'last-name': 'Martin-Roux' } },
        { person: person('Sacha', 'Morel'), position: 'proxy' },
      ],
    });
    expect(after.company.owners.map(({ capital }) => capital)).toEqual([0.6, 0.3]);
    expect(
      after.company.representatives.map((each) => [
        each.person?.['last-name'],
        each.position?.code,
      ]),
    ).toEqual([
      ['Martin-Roux', 'president'],
      ['Morel', 'proxy'],
    ]);
    expect(after.company.owners[0]?.person['last-name']).toBe('Martin-Roux');
  });

  test('changes by PATCH a legal person and its representatives, identified by their ids', async () => {
    const made = await createCompany(sandbox, fullCompany({ representatives: [legalPerson()] }));
    const [representative] = made.company.representatives;
    const inner = representative?.company?.representatives[0]?.person;
    const after = await patch(made.company.id, {
      representatives: [
        {
          company: {
            id: representative?.company?.id,
            'legal-name': 'Holding Nuit',
            representatives: [{ person: { id: inner?.id, 'first-name': 'Noé' } }],
          },
        },
      ],
    });
    expect(after.company.representatives).toMatchObject([
      {
        position: { code: 'president' },
        company: {
          id: representative?.company?.id,
          'legal-name': 'Holding Nuit',
          'legal-id': '73282932000017',
          representatives: [
            { person: { id: inner?.id, 'first-name': 'Noé', 'last-name': 'Petit' } },
          ],
        },
      },
    ]);
  });

  test('accepts at most 50 owners and 50 representatives of a company, counted over all requests', async () => {
    const people = (from: number, count: number): { person: object }[] =>
      Array.from({ length: count }, (_, index) => ({
        person: { 'first-name': `N${from + index}`, 'last-name': 'Many' },
      }));
    const { company } = await createCompany(
      sandbox,
      smallCompany({
        owners: people(0, 49),
        representatives: people(100, 49),
      }),
    );
    const path = `/company?id=${company.id}`;
    expect(await faultsOf('PATCH', path, { owners: people(50, 2) })).toEqual(['owners']);
    await patch(company.id, { owners: people(50, 1) });
    // Representatives of legal persons count towards the maximum too.
    const legal = legalPerson({ representatives: people(200, 1) });
    expect(
      await faultsOf('PATCH', path, { representatives: [{ company: legal.company }] }),
    ).toEqual(['representatives']);
    await patch(company.id, { representatives: people(150, 1) });
  });

  test('rejects the id of a person outside the company with 422', async () => {
    const { company } = await createCompany(sandbox);
    const stranger = `pers_${'a'.repeat(24)}`;
    const path = `/company?id=${company.id}`;
    expect(await faultsOf('PATCH', path, { owners: [{ person: { id: stranger } }] })).toEqual([
      'owners.0.person.id',
    ]);
    const legal = { company: { id: `comp_${'a'.repeat(24)}` } };
    expect(await faultsOf('PATCH', path, { representatives: [legal] })).toEqual([
      'representatives.0.company.id',
    ]);
  });
});

describe('PATCH /company', () => {
  test('merges objects by key, and clears optional fields given as null', async () => {
    const { company } = await createCompany(sandbox);
    const after = await patch(company.id, {
      'headquarters-address': { line1: '1 quai Neuf' },
      url: null,
      services: null,
      user: { contact: { lang: 'en' } },
    });
    expect(after.company).toMatchObject({
      url: null,
      'enabled-services': [],
      'headquarters-address': { line1: '1 quai Neuf', city: 'Paris', 'zip-code': '75011' },
      contact: { lang: 'en', phone: '+33612345678' },
    });
    expect(after.company).toMatchObject({ iban: IBAN, 'legal-name': 'Atelier Lumière' });
    expect(await readCompany(sandbox, company.id)).toEqual(after);
  });

  test('rejects null for a required field, and an unknown key, with 422', async () => {
    const { company } = await createCompany(sandbox);
    const path = `/company?id=${company.id}`;
    expect(await faultsOf('PATCH', path, { country: null, 'legal-name': null })).toEqual([
      'country',
      'legal-name',
    ]);
    expect(await faultsOf('PATCH', path, { user: { contact: { fax: '1' } } })).toEqual([
      'user.contact.fax',
    ]);
    expect(await faultsOf('PATCH', path, { status: 'available' })).toEqual(['status']);
  });

  test('requires a legal form and legal id of the new country when the country changes', async () => {
    const { company } = await createCompany(sandbox, smallCompany());
    expect(await faultsOf('PATCH', `/company?id=${company.id}`, { country: 'bel' })).toEqual([
      'legal-form',
    ]);
    const german = await createCompany(
      sandbox,
      smallCompany({
        country: 'deu',
        'legal-form': 'deu-gmbh',
        'legal-id': 'HRB 86786',
      }),
    );
    const moved = { country: 'fra', 'legal-form': 'fra-sas' };
    expect(await faultsOf('PATCH', `/company?id=${german.company.id}`, moved)).toEqual([
      'legal-id',
    ]);
  });

  test('rejects a legal form that does not allow the positions of the existing representatives', async () => {
    const { company } = await createCompany(sandbox);
    const change = { 'legal-form': 'fra-sarl' };
    expect(await faultsOf('PATCH', `/company?id=${company.id}`, change)).toEqual(['legal-form']);
  });

  test('checks the sum of the shares of changed and unchanged owners', async () => {
    const { company } = await createCompany(sandbox);
    const change = { owners: [{ person: { id: company.owners[1]?.person.id }, capital: 0.5 }] };
    expect(await faultsOf('PATCH', `/company?id=${company.id}`, change)).toEqual(['owners']);
  });

  test('changes no field when it is rejected', async () => {
    const made = await createCompany(sandbox);
    await faultsOf('PATCH', `/company?id=${made.company.id}`, { url: null, iban: 'no' });
    expect(await readCompany(sandbox, made.company.id)).toEqual(made);
  });

  test("can change the user's email to an unused email, and another company can then use the old email", async () => {
    const first = smallCompany();
    const second = smallCompany();
    const { company } = await createCompany(sandbox, first);
    await createCompany(sandbox, second);
    const path = `/company?id=${company.id}`;
    const to = (email: string) => ({ user: { contact: { email } } });
    expect(await ask(sandbox, 'PATCH', path, to(second.user.contact.email))).toMatchObject({
      status: 409,
      body: { type: 'email-unavailable' },
    });
    await patch(company.id, to(`new-${first.user.contact.email}`));
    await createCompany(sandbox, first);
  });

  test('loses none of several concurrent changes', async () => {
    const { company } = await createCompany(sandbox, smallCompany());
    await Promise.all(
      ['A', 'B', 'C', 'D', 'E'].map((name) =>
        patch(company.id, { owners: [{ person: person(name, 'Unique') }] }),
      ),
    );
    const { company: after } = await readCompany(sandbox, company.id);
    expect(after.owners.map((owner) => owner.person['first-name']).sort()).toEqual([
      'A',
      'B',
      'C',
      'D',
      'E',
    ]);
  });

  test("returns 404 for another partner's company", async () => {
    const { company } = await createCompany(sandbox);
    const path = `/company?id=${company.id}`;
    expect((await ask(sandbox, 'PATCH', path, { url: null }, OTHER)).status).toBe(404);
  });
});

describe('DELETE /company-head', () => {
  const remove = (company: string, id: string | undefined, type: string) =>
    ask(sandbox, 'DELETE', `/company-head?company=${company}&id=${id}&type=${type}`);

  test('removes only the role of owner from a person who is also a representative', async () => {
    const { company } = await createCompany(sandbox);
    const id = company.owners[0]?.person.id;
    expect(await remove(company.id, id, 'owner')).toMatchObject({
      status: 200,
      body: { deleted: true, id },
    });
    const { company: after } = await readCompany(sandbox, company.id);
    expect(after.owners).toHaveLength(1);
    expect(after.representatives[0]?.person?.id).toBe(id);
    expect((await remove(company.id, id, 'owner')).status).toBe(404);
  });

  test('removes the upload URL of a removed person', async () => {
    const { company, 'documents-to-upload': before } = await createCompany(sandbox);
    await remove(company.id, company.owners[1]?.person.id, 'owner');
    const { 'documents-to-upload': after } = await readCompany(sandbox, company.id);
    expect(before['identity-documents']).toHaveLength(2);
    expect(after['identity-documents']).toEqual(before['identity-documents'].slice(0, 1));
  });

  test('removes a legal person by its company id, and rejects removing the last representative', async () => {
    const legal = {
      company: {
        'legal-form': 'fra-sarl',
        country: 'fra',
        'legal-id': '732829320',
        'legal-name': 'Holding',
        representatives: [{ person: person('Noa', 'Petit') }],
      },
    };
    const made = await createCompany(
      sandbox,
      fullCompany({
        representatives: [legal, { person: person('Camille', 'Martin') }],
      }),
    );
    const [first, second] = made.company.representatives;
    const inner = first?.company?.representatives[0]?.person?.id;
    expect((await remove(made.company.id, inner, 'representative')).status).toBe(409);
    expect((await remove(made.company.id, first?.company?.id, 'representative')).status).toBe(200);
    expect(await remove(made.company.id, second?.person?.id, 'representative')).toMatchObject({
      status: 409,
      body: { type: 'conflict' },
    });
  });

  test('requires all three query parameters, with a valid type', async () => {
    const { company } = await createCompany(sandbox, smallCompany());
    expect((await remove(company.id, 'pers_x', 'user')).status).toBe(422);
    expect((await ask(sandbox, 'DELETE', `/company-head?company=${company.id}`)).status).toBe(422);
  });
});
