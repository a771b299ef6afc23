import { hasBrowser, launchBrowser } from '#testing';

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

const post = async (url: URL, body: unknown): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const told = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${url.pathname} answered ${answer.status}`);
  return told;
};

/** What the page's scripts do, without a browser. */
const payOverHttp = async (pageUrl: string, card: Card): Promise<void> => {
  const at = (path: string): URL => new URL(path, pageUrl);
  const page = new URL(pageUrl).pathname.replace(/\/+$/, '');
  const { authSessionId } = await post(at(`${page}/card`), card);
  if (typeof authSessionId !== 'string') throw new Error('the bank was not asked');
  await (await fetch(at(`/bank/${authSessionId}`))).arrayBuffer();
  await post(at(`/bank/${authSessionId}/decision`), { decision: 'approve' });
  await post(at(`${page}/confirm`), {});
};

/** How the payer will pay here. */
export const payerIs = (): string => (hasBrowser() ? 'a real Chromium' : 'HTTP, no Chromium here');

/** Pays on the hosted page by card, through the bank's 3-D Secure. Throws when it does not end well. */
export const pay = (pageUrl: string, card: Card): Promise<void> =>
  hasBrowser() ? payInBrowser(pageUrl, card) : payOverHttp(pageUrl, card);
