import { decodePDFRawStream, PDFDocument, PDFRawStream } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { fullCompany } from '../../apps/sandbox/onboarding/testing/company.js';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { type Merchant, onboardMerchant } from '../../apps/sandbox/testing/merchants.js';
import {
  CARDS,
  endingOf,
  giveAccount,
  IBANS,
  lastCode,
  newPayment,
  type NewPayment,
  payWith,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

/** A merchant name with characters that are special in HTML and in replacement patterns. */
const LEGAL_NAME = 'Fils & Filles <$&> SARL';

/** The texts drawn on the first page of a PDF, one per line. */
const textOf = async (bytes: Buffer): Promise<string> => {
  const { node } = (await PDFDocument.load(bytes)).getPage(0);
  const contents = node.normalizedEntries().Contents?.asArray() ?? [];
  const streams = contents
    .map((ref) => node.context.lookup(ref))
    .filter((stream) => stream instanceof PDFRawStream);
  const drawn = streams.map((stream) => Buffer.from(decodePDFRawStream(stream).decode()));
  const texts = Buffer.concat(drawn)
    .toString('latin1')
    .matchAll(/<([0-9A-F]+)> Tj/g);
  return [...texts].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join('\n');
};

inBrowser('the merchant’s name', () => {
  let sandbox: Harness;
  let browser: TestBrowser;
  let merchant: Merchant;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
    merchant = await onboardMerchant(sandbox, fullCompany({ 'legal-name': LEGAL_NAME }));
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const open = async ({ pageUrl }: NewPayment): Promise<Page> => {
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'en' });
    await page.goto(pageUrl);
    await page.locator('html[data-ready=yes][lang=en]').waitFor();
    return page;
  };

  /** The text of a page in French, as the server sends it. */
  const inFrench = async (url: string): Promise<string> => {
    const answer = await fetch(url, { headers: { 'accept-language': 'fr' } });
    const body = /<body[^]*<\/body>/.exec(await answer.text())?.[0] ?? '';
    return body
      .replace(/<script[^]*?<\/script>|<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replace(/\s+/g, ' ');
  };

  const purchase = () =>
    newPayment(sandbox, {
      description: 'Linden honey, 250 g',
      return_url: `${sandbox.url}/health/live`,
    });

  test('the payment page and the bank’s page show the merchant and the purchase', async () => {
    const payment = await purchase();
    const page = await open(payment);
    expect(await page.title()).toContain('Maison Tilleul');
    expect(await page.locator('.summary-merchant').innerText()).toBe('Maison Tilleul');
    expect(await page.locator('.summary-what').innerText()).toBe('Linden honey, 250 g');
    await payWith(page, CARDS.threeDSecure);
    const facts = page.frameLocator('.bank-frame').locator('.bank-facts');
    expect((await facts.innerText()).split('\n').slice(0, 4)).toEqual([
      'Merchant',
      'Maison Tilleul',
      'Purchase',
      'Linden honey, 250 g',
    ]);
    await sandbox.call('DELETE', `/v2/payment_intents/${payment.id}`);
    await page.reload();
    expect(await page.locator('#go-back').innerText()).toBe('Return to Maison Tilleul');
  });

  test('the payment page and the bank’s page show the merchant and the purchase in French', async () => {
    const payment = await purchase();
    expect(await inFrench(payment.pageUrl)).toContain('Maison Tilleul Linden honey, 250 g');
    const card = { number: CARDS.threeDSecure, expMonth: 12, expYear: 2031, cvc: '123' };
    const outcome = await sandbox.pageFlow.submitCard(payment.id, card);
    if (outcome.next !== 'secure_auth') throw new Error('the bank was not asked');
    expect(await inFrench(`${sandbox.url}/bank/${outcome.authSessionId}`)).toContain(
      'Marchand Maison Tilleul Achat Linden honey, 250 g',
    );
    await sandbox.call('DELETE', `/v2/payment_intents/${payment.id}`);
    expect(await inFrench(payment.pageUrl)).toContain('Revenir chez Maison Tilleul');
  });

  test('an onboarded merchant is shown under its legal name', async () => {
    const payment = await newPayment(sandbox, {}, merchant.keys.test);
    const page = await open(payment);
    expect(await page.locator('.summary-merchant').innerText()).toBe(LEGAL_NAME);
    await payWith(page, CARDS.threeDSecure);
    const facts = page.frameLocator('.bank-frame').locator('.bank-facts');
    expect(await facts.innerText()).toContain(LEGAL_NAME);
  });

  const debit = () => newPayment(sandbox, { methods_allowed: 'sepa' }, merchant.keys.test);

  test('the form, the message and the mandate of a direct debit name the creditor', async () => {
    const payment = await debit();
    const page = await open(payment);
    expect(await page.locator('#creditor').innerText()).toContain(`Creditor\n${LEGAL_NAME}`);
    expect(await page.locator('#creditor').innerText()).toContain('FR00ZZZ000000');
    expect(await page.locator('.consent').innerText()).toContain(`authorize ${LEGAL_NAME}`);
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    expect(await page.locator('#sign-panel').innerText()).toContain(LEGAL_NAME);
    const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${payment.id}`);
    expect(JSON.stringify(body)).toContain(LEGAL_NAME);
    await page.locator('#code').fill(await lastCode(sandbox, payment));
    await page.locator('#sign').click();
    expect(await endingOf(page)).toBe('processing');
    const href = await page.locator('#mandate-link').getAttribute('href');
    const document = await page.request.get(`${sandbox.url}${href}`);
    expect(await textOf(await document.body())).toContain(
      `Name / Nom\n${LEGAL_NAME}\nCreditor identifier / Identifiant créancier\nFR00ZZZ000000`,
    );
  });

  test('the form of a direct debit names the creditor in French', async () => {
    const text = await inFrench((await debit()).pageUrl);
    expect(text).toMatch(/Créancier .*FR00ZZZ000000/);
    expect(text).toContain(`Créancier ${LEGAL_NAME}`);
    expect(text).toContain(`autorisez ${LEGAL_NAME}`);
  });

  test('a mandate that the merchant imported names the merchant as the creditor', async () => {
    const of = merchant.keys.test;
    const account = { name: 'Camille Martin', iban: IBANS.accepted };
    const { body: sepa } = await sandbox.call('POST', '/v2/sepa', account, of);
    const imported = { sepa: sepa['id'], rum: 'RUM-7', signed_at: '2026-01-05T10:00:00Z' };
    const { body: mandate } = await sandbox.call('POST', '/v2/mandates', imported, of);
    const response = await fetch(`${sandbox.url}/v2/mandates/${String(mandate['id'])}.pdf`, {
      headers: { authorization: `Bearer ${of}` },
    });
    const text = await textOf(Buffer.from(await response.arrayBuffer()));
    expect(text).toContain(LEGAL_NAME);
    expect(text).not.toContain('Maison Tilleul');
  });
});
