import { hasBrowser, launchBrowser, waitFor } from '#testing';
import { Payer } from '../stack/payer.js';
import type { OrderView, Platform } from '../stack/platform.js';
import { WAIT } from './narration.js';

const STEP_TIMEOUT_MS = 20_000;

const payInBrowser = async (pageUrl: string, cardNumber: string): Promise<void> => {
  const browser = await launchBrowser();
  try {
    const page = await browser.context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    await page.goto(pageUrl);
    await page.waitForSelector('html[data-ready=yes]');
    await page.fill('#number', cardNumber);
    await page.fill('#expiry', `12 / ${(new Date().getFullYear() + 3) % 100}`);
    await page.fill('#cvc', '123');
    await page.fill('#name', 'Camille Martin');
    await page.click('#pay');
    const bank = page.frameLocator('iframe.bank-frame');
    await bank.locator('[data-decision=approve]:enabled').click();
    await page.waitForSelector('#ending-panel[data-ending=done]');
  } finally {
    await browser.close();
  }
};

const payOverHttp = async (pageUrl: string, cardNumber: string): Promise<void> => {
  const ending = await new Payer(pageUrl).pay(cardNumber);
  if (ending !== 'confirm') throw new Error(`the payment page ended with '${ending}'`);
};

/**
 * How the demo's payers pay, as text: in a browser if one is installed, otherwise by HTTP requests.
 */
export const payerIs = (): string =>
  hasBrowser() ? 'by Chromium' : 'by HTTP requests, because Chromium is not installed';

/**
 * Pays by card on the hosted page, with 3-D Secure at the bank. Throws if the payment does not
 * succeed.
 */
export const pay = (pageUrl: string, cardNumber: string): Promise<void> =>
  hasBrowser() ? payInBrowser(pageUrl, cardNumber) : payOverHttp(pageUrl, cardNumber);

/** Waits until the order has a payment with a page; returns both. */
export const pageOf = (
  platform: Platform,
  orderId: string,
): Promise<{ readonly id: string; readonly pageUrl: string }> =>
  waitFor(async () => {
    const { payment } = await platform.read(orderId);
    return payment?.pageUrl ? { id: payment.id, pageUrl: payment.pageUrl } : null;
  }, WAIT);

/**
 * Pays with this card on the order's page by HTTP requests, and reports to the api that the page
 * has finished.
 */
export const tryCard = async (
  platform: Platform,
  orderId: string,
  cardNumber: string,
): Promise<void> => {
  const { id, pageUrl } = await pageOf(platform, orderId);
  await new Payer(pageUrl).pay(cardNumber);
  await platform.pageCompleted(id);
};

export const orderIs = (
  platform: Platform,
  orderId: string,
  status: OrderView['status'],
): Promise<boolean> => waitFor(async () => (await platform.read(orderId)).status === status, WAIT);
