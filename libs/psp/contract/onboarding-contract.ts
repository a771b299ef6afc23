import { newId } from '#kernel';
import type { CompanyDetails } from '../company-details.js';
import type { CompanyFacts } from '../company-facts.js';
import type { DocumentUpload, Onboarding } from '../onboarding.js';
import type { ArrangedOnboarding } from './arranged.js';
import { CONFLICT } from './scenes.js';

const PDF = '%PDF-1.7\n%%EOF\n';

const contentOf = async function* (text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text, 'latin1');
};

const pdf = (name: string): DocumentUpload => ({ files: [{ name, content: contentOf(PDF) }] });

const readText = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

type Arranged = () => ArrangedOnboarding;

const scenesOf = (arranged: Arranged) => {
  const client = (): Onboarding => arranged().client;
  const create = (details: CompanyDetails = arranged().newDetails()): Promise<CompanyFacts> =>
    client().createCompany(details, newId('mer'));
  const available = async (): Promise<CompanyFacts> => {
    const { companyId } = await create();
    await arranged().reach(companyId, 'available');
    return client().getCompany(companyId);
  };
  return { client, create, available };
};

const registration = (arranged: Arranged): void => {
  const { client, create } = scenesOf(arranged);

  describe('a company', () => {
    test('shows the details of its registration', async () => {
      const details = arranged().newDetails();
      const company = await create(details);
      expect(company.details).toMatchObject(arranged().shownOf(details));
      expect(company).toMatchObject({ status: 'incomplete', documents: [] });
      expect(await client().getCompany(company.companyId)).toEqual(company);
    });

    test('can be changed field by field; null clears a field', async () => {
      const { companyId } = await create();
      const change = {
        company: { website: 'https://contract.example.test' },
        payoutAccount: { iban: null },
      };
      const { details } = await client().changeCompany(companyId, change);
      expect(details.company).toMatchObject({ ...change.company, legalName: 'Contract' });
      expect(details.payoutAccount?.iban ?? null).toBeNull();
    });

    test('whose creation got no response is found by the submitted details', async () => {
      await create();
      const details = arranged().newDetails();
      await arranged().loseAnswerOfCreation();
      await expect(create(details)).rejects.toMatchObject({ kind: 'unknown_outcome' });
      const { day } = arranged();
      const { companyIds } = await client().createdCompanies(await day(-1), await day(2));
      const read = await Promise.all(companyIds.map((id) => client().getCompany(id)));
      expect(read.filter(({ identity }) => identity.email === details.contact.email)).toHaveLength(
        1,
      );
      await expect(create(details)).rejects.toMatchObject({
        ...CONFLICT,
        code: 'email_unavailable',
      });
    });

    test('with invalid details is rejected with the paths of the invalid fields', async () => {
      const details = arranged().newDetails();
      const company = { ...details.company, legalForm: 'none' };
      const wrong = { ...details, company, payoutAccount: { iban: 'FR00' } };
      const refused = create(wrong);
      await expect(refused).rejects.toMatchObject({ kind: 'rejected', code: 'validation' });
      const { faults } = (await refused.catch((error: unknown) => error)) as {
        faults: readonly { field: string }[];
      };
      const fields = faults.map(({ field }) => field);
      expect(fields).toEqual(expect.arrayContaining(['company.legalForm', 'payoutAccount.iban']));
    });

    test('cannot be read with an unknown API key', async () => {
      const { companyId } = await create();
      await expect(arranged().stranger.getCompany(companyId)).rejects.toMatchObject({
        kind: 'unauthorized',
      });
    });

    test('that was never created is not found', async () => {
      await expect(client().getCompany(newId('comp'))).rejects.toMatchObject({
        kind: 'rejected',
        status: 404,
        code: 'not_found',
      });
    });
  });
};

const review = (arranged: Arranged): void => {
  const { client, create } = scenesOf(arranged);

  describe('a company', () => {
    test('lists the signature as missing until the merchant has signed', async () => {
      const { companyId } = await create();
      const missing = async (): Promise<readonly string[]> =>
        (await client().progress(companyId)).steps.flatMap((step) => step.missing);
      expect(await missing()).toContain('signature');
      expect(await client().signatureLink(companyId)).toMatch(/^https?:/);
      await arranged().reach(companyId, 'in_review');
      expect(await missing()).not.toContain('signature');
    });

    test('shows a status change only in the history of the day of the change', async () => {
      const { companyId } = await create();
      await arranged().reach(companyId, 'closed');
      const { day } = arranged();
      const today = await client().statusHistory(await day(), await day(1));
      expect(today.changes.filter((change) => change.companyId === companyId)).toEqual([
        {
          companyId,
          day: await day(),
          status: 'closed',
          terminatedByProvider: expect.any(Boolean),
        },
      ]);
      const yesterday = await client().statusHistory(await day(-1), await day());
      expect(yesterday.changes.filter((change) => change.companyId === companyId)).toEqual([]);
    });

    test('has API keys when the company is available', async () => {
      const { companyId } = await create();
      await expect(client().companyKeys(companyId)).rejects.toMatchObject({
        ...CONFLICT,
        code: 'not_allowed',
      });
      await arranged().reach(companyId, 'available');
      expect(await client().companyKeys(companyId)).toEqual({
        test: expect.any(String),
        live: expect.any(String),
      });
    });
  });
};

const ownersAndRepresentatives = (arranged: Arranged): void => {
  const { client, create } = scenesOf(arranged);

  describe('owners and representatives', () => {
    test('can be added, changed and removed one by one, and keep their references', async () => {
      const { companyId } = await create();
      const [representative] = arranged().newDetails().representatives ?? [];
      const put = async (more: object): Promise<CompanyFacts> =>
        client().putPerson(companyId, 'representative', { ...representative, ...more });
      const person = { ...representative?.person, firstName: 'Noa' };
      const added = await put({ person, reference: 'second' });
      const id = added.representatives.find(({ reference }) => reference === 'second')?.id ?? '';
      expect(id).not.toBe('');
      const changed = await put({ person: { id, lastName: 'Petit' } });
      const shown = changed.details.representatives?.find((one) => one.person?.id === id);
      expect(shown?.person).toMatchObject({ firstName: 'Noa', lastName: 'Petit' });
      await client().removePerson(companyId, id, 'representative');
      const [last] = (await client().getCompany(companyId)).representatives;
      await expect(
        client().removePerson(companyId, last?.id ?? '', 'representative'),
      ).rejects.toMatchObject(CONFLICT);
    });

    test('with invalid data are rejected with the paths of the invalid fields', async () => {
      const { companyId } = await create();
      const [owner] = arranged().newDetails().owners ?? [];
      const birth = { date: '2999-01-01' };
      const changed = { ...owner, person: { ...owner?.person, birth } };
      await expect(client().putPerson(companyId, 'owner', changed)).rejects.toMatchObject({
        faults: expect.arrayContaining([expect.objectContaining({ field: 'person.birth.date' })]),
      });
    });
  });
};

const documents = (arranged: Arranged): void => {
  const { client, create } = scenesOf(arranged);

  test('documents can be sent to each expected place, replaced, read and removed', async () => {
    const { companyId, expected } = await create();
    const place = expected.find(({ kind }) => kind === 'bank_account_proof');
    const card = expected.find(({ kind }) => kind === 'identity_card');
    expect(card?.personId).toEqual(expect.any(String));
    const to = place?.uploadTo ?? '';
    await client().sendDocuments(companyId, to, pdf('first.pdf'));
    const ids = await client().sendDocuments(companyId, to, {
      ...pdf('second.pdf'),
      replaces: true,
    });
    const [documentId = ''] = ids;
    expect((await client().getCompany(companyId)).documents).toEqual([
      { documentId, kind: 'bank_account_proof', personId: null, name: 'second.pdf' },
    ]);
    const opened = await client().readDocument(companyId, documentId);
    expect(await readText(opened.content)).toBe(PDF);
    await client().removeDocument(companyId, documentId);
    await expect(client().removeDocument(companyId, documentId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('an upload that the sender of the document aborts stores nothing at the provider', async () => {
    const { companyId, expected } = await create();
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(PDF);
      throw new Error('the sender has disconnected');
    };
    await expect(
      client().sendDocuments(companyId, expected[0]?.uploadTo ?? '', {
        files: [{ name: 'a.pdf', content: broken() }],
      }),
    ).rejects.toThrow('the sender has disconnected');
    expect((await client().getCompany(companyId)).documents).toEqual([]);
  });
};

/** Defines the tests of every provider that registers companies. */
export const onboardingContract = (arranged: Arranged): void => {
  const { client, available } = scenesOf(arranged);
  registration(arranged);
  review(arranged);
  ownersAndRepresentatives(arranged);
  documents(arranged);

  test('terminals can be ordered and listed, and canceled while they are pending', async () => {
    const { companyId, companyAccountId } = await available();
    const account = companyAccountId ?? '';
    const ordered = await client().orderTerminal(companyId, account, 'Counter');
    expect(ordered).toMatchObject({ name: 'Counter', status: 'pending' });
    expect(await client().listTerminals(companyId, account)).toEqual([ordered]);
    const cancel = () => client().cancelTerminal(companyId, account, ordered.terminalId);
    expect(await cancel()).toMatchObject({ status: 'canceled' });
    await expect(cancel()).rejects.toMatchObject(CONFLICT);
  });

  test('each code in a company’s details is in the provider’s list of codes', async () => {
    const { company, representatives } = arranged().newDetails();
    const { country, legalForm, activity } = company;
    const codes = client();
    expect(await codes.codes({ list: 'countries', of: 'legal_form' })).toContain(country);
    expect(await codes.codes({ list: 'legal_forms', of: country })).toContain(legalForm);
    expect(await codes.codes({ list: 'positions', of: legalForm, country })).toContain(
      representatives?.[0]?.position,
    );
    expect(await codes.codes({ list: 'activities' })).toContain(activity?.code);
  });
};
