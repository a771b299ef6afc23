import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { randomText } from '#kernel';

type Json = Readonly<Record<string, unknown>>;

const ADDRESS = { line1: '12 rue des Lilas', postalCode: '75011', city: 'Paris', country: 'FR' };

export const person = (firstName: string): Json => ({
  firstName,
  lastName: 'Martin',
  address: ADDRESS,
  nationality: 'FR',
  residenceCountry: 'FR',
  birth: { date: '1984-05-17', place: 'Paris', department: '75', country: 'FR' },
});

/** Complete details of a merchant, without documents. Each call uses a new contact. */
export const sellerDetails = (): Json => ({
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '73282932000017',
    legalName: 'Atelier Lumière',
    registeredOn: '2019-03-04',
    website: 'https://atelier.example.test',
    address: ADDRESS,
    passiveNonFinancialEntity: false,
    activity: {
      code: '47.71Z',
      sector: 'fashion',
      averageBasket: '50_to_100',
      forecastTurnover: '100000_to_250000',
    },
  },
  contact: {
    ...person('Camille'),
    email: `user-${randomText(12)}@example.test`,
    phone: '+33612345678',
    language: 'fr',
  },
  payoutAccount: { iban: 'FR7630006000011234567890189' },
  products: ['online_payments', 'payment_terminals'],
  owners: [
    { person: person('Camille'), ownershipPercent: 100, votingPercent: 100, controls: true },
  ],
  representatives: [{ person: person('Camille'), position: 'president' }],
  deliveryAddress: { ...ADDRESS, businessName: 'Atelier Lumière' },
});

/** Minimal files that the provider accepts as documents. */
export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1');
export const JPEG = Buffer.from('ffd8ffe000104a464946ffd9', 'hex');

const CARD = { issuedOn: '2020-01-02', expiresOn: '2035-01-01', number: 'X4RTBPFW4' };

interface Expected {
  readonly kind: string;
  readonly personId: string | null;
}

const jsonOf = async <T>(answer: Response): Promise<T> => {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${new URL(answer.url).pathname}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
};

const formOf = ({ kind }: Expected): FormData => {
  const form = new FormData();
  const files =
    kind === 'identity_card'
      ? ([
          ['front.jpg', JPEG],
          ['back.jpg', JPEG],
        ] as const)
      : ([[`${kind}.pdf`, PDF]] as const);
  if (kind === 'identity_card') form.append('meta', JSON.stringify(CARD));
  for (const [name, bytes] of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
};

/**
 * Uploads each required document of a merchant through the api; returns the number of documents.
 */
export const sendPapers = async (
  apiUrl: string,
  apiKey: string,
  merchantId: string,
): Promise<number> => {
  const url = `${apiUrl}/v1/merchants/${merchantId}/documents`;
  const headers = { authorization: `Bearer ${apiKey}` };
  const { expected } = await jsonOf<{ expected: readonly Expected[] }>(
    await fetch(url, { headers }),
  );
  for (const document of expected) {
    const { kind, personId } = document;
    const query = personId === null ? `kind=${kind}` : `kind=${kind}&personId=${personId}`;
    await jsonOf(
      await fetch(`${url}?${query}`, {
        method: 'POST',
        body: formOf(document),
        headers: { ...headers, 'idempotency-key': randomUUID() },
      }),
    );
  }
  return expected.length;
};

/** The sign-in code in the latest message to the company's contact. */
const codeOf = async (link: string, companyId: string): Promise<string> => {
  const { origin } = new URL(link);
  const inbox = await jsonOf<readonly { text: string }[]>(
    await fetch(`${origin}/sandbox/onboarding/inbox?company=${companyId}`),
  );
  const code = /^\d{4}/.exec(inbox[0]?.text ?? '')?.[0];
  if (code === undefined) throw new Error('no code was sent to the merchant');
  return code;
};

/** Signs the contract on the subscription page in a browser, as the merchant. */
export const signInBrowser = async (page: Page, link: string, companyId: string): Promise<void> => {
  await page.goto(link);
  await page.locator('#send-code').click();
  await page.locator('#code').waitFor();
  await page.locator('#code').fill(await codeOf(link, companyId));
  await page.locator('#code-form button').click();
  await page.locator('#status-panel').waitFor();
};

/** Signs the contract without a browser, by the requests that the subscription page sends. */
export const signOverHttp = async (link: string, companyId: string): Promise<void> => {
  const call = async (path: string, body: object): Promise<string> => {
    const { outcome } = await jsonOf<{ outcome: string }>(
      await fetch(`${link}/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    return outcome;
  };
  await call('code', {});
  const shown = await (await fetch(link)).text();
  const version = Number(/"version":(\d+)/.exec(shown)?.[1]);
  const outcome = await call('sign', { code: await codeOf(link, companyId), version });
  if (outcome !== 'signed') throw new Error(`the contract was not signed: ${outcome}`);
};
