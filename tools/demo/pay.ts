import { hasBrowser, launchBrowser } from '#testing';
import { Payer } from '../stack/payer.js';

/** A test card as the payer types it. */
export interface Card {
  readonly number: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly cvc: string;
  readonly name: string;
}

const STEP_TIMEOUT_MS = 20_000;

const payInBrowser = async (pageUrl: string, card: Card): Promise<void> => {
  const browser = await launchBrowser();
  try {
    const page = await browser.context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    await page.goto(pageUrl);
    await page.waitForSelector('html[data-ready=yes]');
    await page.fill('#number', card.number);
    const month = String(card.expMonth).padStart(2, '0');
    await page.fill('#expiry', `${month} / ${card.expYear % 100}`);
    await page.fill('#cvc', card.cvc);
    await page.fill('#name', card.name);
    await page.click('#pay');
    const bank = page.frameLocator('iframe.bank-frame');
    await bank.locator('[data-decision=approve]:enabled').click();
    await page.waitForSelector('#ending-panel[data-ending=done]');
  } finally {
    await browser.close();
  }
};

const payOverHttp = async (pageUrl: string, card: Card): Promise<void> => {
  const ending = await new Payer(pageUrl).pay(card.number);
  if (ending !== 'confirm') throw new Error(`the page ended with '${ending}'`);
};

/** How the payer will pay here. */
export const payerIs = (): string => (hasBrowser() ? 'a real Chromium' : 'HTTP, no Chromium here');

/** Pays on the hosted page by card, through the bank's 3-D Secure. Throws when it does not end well. */
export const pay = (pageUrl: string, card: Card): Promise<void> =>
  hasBrowser() ? payInBrowser(pageUrl, card) : payOverHttp(pageUrl, card);
