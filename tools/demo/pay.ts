import { hasBrowser, launchBrowser } from '#testing';
import { Payer } from '../stack/payer.js';

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
  if (ending !== 'confirm') throw new Error(`the page ended with '${ending}'`);
};

/** How the payer will pay here. */
export const payerIs = (): string => (hasBrowser() ? 'a real Chromium' : 'HTTP, no Chromium here');

/** Pays on the hosted page by card, through the bank's 3-D Secure. Throws when it does not end well. */
export const pay = (pageUrl: string, cardNumber: string): Promise<void> =>
  hasBrowser() ? payInBrowser(pageUrl, cardNumber) : payOverHttp(pageUrl, cardNumber);
