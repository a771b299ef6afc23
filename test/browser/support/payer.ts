import type { FrameLocator, Page } from 'playwright-core';
import type { TestBrowser } from '#testing';
import type { CardInput } from '../../../apps/sandbox/collection/cards/card-input.js';
import { type Harness, TEST_KEY } from '../../../apps/sandbox/testing/harness.js';

/** Test cards that the provider publishes, named by their behaviour. */
export const CARDS = {
  threeDSecure: '9999000000000012',
  plain: '9999000000000079',
  insufficientFunds: '9999000000000145',
  lost: '9999000000000152',
} as const;

/** Test bank accounts that the provider publishes, named by the result of a debit. */
export const IBANS = {
  accepted: 'FR7600000000000000000000194',
  closed: 'FR7600000000000000000001358',
  real: 'GB33BUKB20201555555555',
} as const;

/** A phone number that is reserved for fiction. */
export const PHONE = '+33 6 39 98 00 12';

/** A payment intent at the sandbox; its page is at `pageUrl`. */
export interface NewPayment {
  readonly id: string;
  readonly pageUrl: string;
}

/**
 * Creates an intent of 42.50 euro through the payment API; `more` contains additional fields of the
 * request, and `key` is the API key of the merchant.
 */
export const newPayment = async (
  sandbox: Harness,
  more: object = {},
  key = TEST_KEY,
): Promise<NewPayment> => {
  const body = { amount: 4250, currency: 'eur', description: 'Atelier Lumière', ...more };
  const { status, body: intent } = await sandbox.call('POST', '/v2/payment_intents/', body, key);
  if (status !== 200) throw new Error(`no intent was created: ${JSON.stringify(intent)}`);
  const id = String(intent['id']);
  return { id, pageUrl: `${sandbox.url}/pay/${id}` };
};

export const statusOf = async (sandbox: Harness, { id }: NewPayment): Promise<string> =>
  String((await sandbox.call('GET', `/v2/payment_intents/${id}`)).body['status']);

/**
 * The response code and the authentication status of the intent's latest attempt, from the payment
 * API.
 */
export const lastAttempt = async (
  sandbox: Harness,
  { id }: NewPayment,
): Promise<{ readonly response: string | null; readonly authStatus: string | null }> => {
  const intent = await sandbox.call('GET', `/v2/payment_intents/${id}`);
  const payment = await sandbox.call('GET', `/v2/payments/${String(intent.body['payment'])}`);
  const { response, auth } = payment.body as unknown as {
    response: string | null;
    auth: { status: string } | null;
  };
  return { response, authStatus: auth?.status ?? null };
};

/** A card as the payment page sends it. */
export const typedCard = (number: string): CardInput => ({
  number,
  expMonth: 12,
  expYear: 2031,
  cvc: '123',
  name: 'Camille Martin',
});

/** Fills in the card form, on the payment page itself or in a frame that shows the page. */
export const fillCard = async (page: Page | FrameLocator, number: string): Promise<void> => {
  await page.locator('#number').fill(number);
  await page.locator('#expiry').fill('12/31');
  await page.locator('#cvc').fill('123');
  await page.locator('#name').fill('Camille Martin');
};

export const payWith = async (page: Page | FrameLocator, number: string): Promise<void> => {
  await fillCard(page, number);
  await page.locator('#pay').click();
};

/** Fills the form of a direct debit and requests the code. */
export const giveAccount = async (page: Page | FrameLocator, iban: string): Promise<void> => {
  await page.locator('#account-name').fill('Camille Martin');
  await page.locator('#iban').fill(iban);
  await page.locator('#phone').fill(PHONE);
  await page.locator('#get-code').click();
};

/** The code in the payer's last message, as the sandbox's inbox shows it. */
export const lastCode = async (sandbox: Harness, { id }: NewPayment): Promise<string> => {
  const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${id}`);
  const { messages } = body as unknown as { messages: readonly { body: string }[] };
  const code = /\b\d{4}\b/.exec(messages[0]?.body ?? '')?.[0];
  if (code === undefined) throw new Error('no code was sent to the payer');
  return code;
};

export const wrongCode = (right: string): string => (right === '0000' ? '0001' : '0000');

/** Waits until a button of the bank's page is enabled, and presses the button. */
export const atBank = async (
  page: Page | FrameLocator,
  decision: 'approve' | 'refuse' | 'leave',
): Promise<void> =>
  page.frameLocator('.bank-frame').locator(`[data-decision=${decision}]:enabled`).click();

/** Waits for the page's final panel and returns the panel's name. */
export const endingOf = async (page: Page | FrameLocator): Promise<string | null> => {
  const panel = page.locator('#ending-panel');
  await panel.waitFor();
  return panel.getAttribute('data-ending');
};

/**
 * Opens a URL; collects script errors and violations of the content security policy in
 * `complaints`.
 */
export const openPage = async (
  browser: TestBrowser,
  url: string,
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> => {
  const page = await browser.page();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(url);
  await page.locator('html[data-ready=yes]').waitFor();
  return { page, complaints };
};
