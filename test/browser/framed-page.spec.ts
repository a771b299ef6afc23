import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, type TestBrowser, waitFor } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { type MerchantSite, startMerchantSite } from './support/merchant-site.js';
import { atBank, CARDS, endingOf, newPayment, payWith, statusOf } from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

interface Message {
  readonly origin: string;
  readonly status: string;
  readonly url: string | null;
  readonly width: number;
  readonly height: number;
  readonly paymentStatus: string;
}

const messagesOf = (page: Page): Promise<readonly Message[]> =>
  page.evaluate<readonly Message[]>('window.messages');

/** The messages up to `finished`, or up to the last expected message. */
const storyUntil = (page: Page, last: string): Promise<readonly Message[]> =>
  waitFor<readonly Message[] | null>(async () => {
    const messages = await messagesOf(page);
    return messages.at(-1)?.status === last ? messages : null;
  });

/**
 * The names of a payment's steps, without repeated `loaded`: the page sends `loaded` again with
 * each new height.
 */
const stepsOf = (messages: readonly Message[]): readonly string[] =>
  messages
    .map(({ status }) => status)
    .filter((status, index, all) => status !== 'loaded' || all.indexOf(status) === index);

/** By how many pixels the framed page is higher than its frame, and the frame's own height. */
const overflowOf = async (
  page: Page,
): Promise<{ readonly over: number; readonly height: number }> => {
  const frame = page.frame('framed');
  if (frame === null) throw new Error('the page has no frame');
  return frame.evaluate<{ over: number; height: number }>(`({
    over: document.documentElement.scrollHeight - window.innerHeight, height: window.innerHeight,
  })`);
};

/** Waits until the frame is as high as its content, and higher than before. */
const grownFrom = (page: Page, height: number): Promise<number> =>
  waitFor(async () => {
    const now = await overflowOf(page);
    return now.over <= 0 && now.height > height ? now.height : null;
  });

inBrowser('the hosted page in a merchant’s frame', () => {
  let sandbox: Harness;
  let merchant: MerchantSite;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, merchant, browser] = await Promise.all([
      startHarness(),
      startMerchantSite(),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await merchant.close();
    await sandbox.stop();
  });

  const open = async (
    pageUrl: string,
    referrerPolicy?: string,
  ): Promise<{ readonly page: Page; readonly framed: FrameLocator }> => {
    const page = await browser.page();
    await page.goto(merchant.framing(pageUrl, referrerPolicy));
    const framed = page.frameLocator('iframe[name=framed]');
    await framed.locator('html[data-ready=yes]').waitFor();
    return { page, framed };
  };

  test('reports each step to the merchant, and reports success without an address', async () => {
    const returnUrl = `${merchant.origin}/thanks`;
    const payment = await newPayment(sandbox, { return_url: returnUrl });
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'approve');
    const messages = await storyUntil(page, 'finished');
    expect(stepsOf(messages)).toEqual([
      'init',
      'loaded',
      'secure-auth-start',
      'secure-auth-end',
      'finished',
    ]);
    expect(new Set(messages.map(({ origin }) => origin))).toEqual(new Set([sandbox.url]));
    expect(messages.at(-1)).toMatchObject({ url: null, paymentStatus: 'to_capture' });
    for (const { url, width, height } of messages.slice(0, -1)) {
      expect(url).toBe(payment.pageUrl);
      expect(width).toBeGreaterThan(200);
      expect(height).toBeGreaterThan(200);
    }
    // The merchant's page decides on the next step: the frame does not navigate.
    await sleep(3_000);
    expect(page.frame('framed')?.url()).toBe(payment.pageUrl);
  });

  test('reports each new height, so that the frame grows with errors, test cards and the bank', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl);
    const form = await grownFrom(page, 300);
    await framed.locator('#pay').click();
    await framed.locator('#number-error:not(:empty)').waitFor();
    const withErrors = await grownFrom(page, form);
    const testCards = framed.locator('.test-cards summary').first();
    await testCards.click();
    await grownFrom(page, withErrors);
    await testCards.click();
    await waitFor(async () => (await overflowOf(page)).height === withErrors);
    await payWith(framed, CARDS.threeDSecure);
    await framed.frameLocator('.bank-frame').locator('[data-decision=approve]:enabled').waitFor();
    await waitFor(async () => (await overflowOf(page)).over <= 0);
    const bank = page.frames().find((frame) => frame.url().includes('/bank/'));
    const before = (await overflowOf(page)).height;
    await bank?.evaluate(`document.getElementById('message').style.minHeight = '300px'`);
    await grownFrom(page, before);
    await atBank(framed, 'approve');
    const messages = await storyUntil(page, 'finished');
    expect(messages.filter(({ status }) => status === 'finished')).toHaveLength(1);
    await waitFor(async () => (await overflowOf(page)).over <= 0);
  });

  test('reports a refusal as an error, and reports the steps of the next attempt', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.insufficientFunds);
    expect((await storyUntil(page, 'error')).at(-1)).toMatchObject({
      paymentStatus: 'require_payment_method',
      url: payment.pageUrl,
    });
    await payWith(framed, CARDS.plain);
    expect(stepsOf(await storyUntil(page, 'finished'))).toEqual([
      'init',
      'loaded',
      'error',
      'finished',
    ]);
  });

  test('reports the unchanged payment of a payer who left the bank', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'leave');
    expect((await storyUntil(page, 'error')).at(-1)).toMatchObject({
      paymentStatus: await statusOf(sandbox, payment),
      url: payment.pageUrl,
    });
    expect(await statusOf(sandbox, payment)).toBe('require_authentication');
  });

  test('sends nothing to sites other than the site of the return address', async () => {
    const returnUrl = 'http://another-merchant.test/thanks';
    const payment = await newPayment(sandbox, { return_url: returnUrl });
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.plain);
    expect(await endingOf(framed)).toBe('done');
    expect(await messagesOf(page)).toEqual([]);
  });

  test('sends its messages to the referrer when there is no return address', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl, 'origin');
    await framed.locator('#card-form').waitFor();
    expect(stepsOf(await storyUntil(page, 'loaded'))).toEqual(['init', 'loaded']);
  });

  test('pays in the frame, bank included, when neither return address nor referrer is known', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl, 'no-referrer');
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'approve');
    await storyUntil(page, 'finished');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the bank refuses to be framed by another site', async () => {
    const payment = await newPayment(sandbox);
    const { framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.threeDSecure);
    const bankUrl = await framed.locator('.bank-frame').getAttribute('src');
    const thief = await browser.context.newPage();
    await thief.goto(merchant.framing(String(bankUrl)));
    const shown = thief.frameLocator('iframe[name=framed]');
    await sleep(500);
    expect(await shown.locator('[data-decision]').count()).toBe(0);
    await thief.close();
  });

  test('a message from another window than the bank’s confirms nothing', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.threeDSecure);
    const bank = framed.frameLocator('.bank-frame');
    await bank.locator('[data-decision=approve]:enabled').waitFor();
    const src = String(await framed.locator('.bank-frame').getAttribute('src'));
    const session = new URL(src).pathname.split('/').at(-1);
    const forged = JSON.stringify({ type: 'result', result: 'approved', session });
    // Forged messages from the merchant's page and from the payment page itself: neither is the
    // bank's window.
    await page.evaluate(`window.frames.framed.postMessage(${forged}, '*')`);
    await page.frame('framed')?.evaluate(`window.postMessage(${forged}, location.origin)`);
    await sleep(300);
    expect(await framed.locator('.bank-frame').count()).toBe(1);
    expect(await statusOf(sandbox, payment)).toBe('require_authentication');
  });
});
