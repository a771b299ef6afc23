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

/** Waits until the latest message has the status `last`; returns all messages so far. */
const storyUntil = (page: Page, last: string): Promise<readonly Message[]> =>
  waitFor<readonly Message[] | null>(async () => {
    const messages = await messagesOf(page);
    return messages.at(-1)?.status === last ? messages : null;
  });

/**
 * The statuses of the messages in order; repeated `loaded` messages are left out, because the page
 * sends one whenever its height changes.
 */
const stepsOf = (messages: readonly Message[]): readonly string[] =>
  messages
    .map(({ status }) => status)
    .filter((status, index, all) => status !== 'loaded' || all.indexOf(status) === index);

/**
 * The number of pixels by which the framed page is higher than its frame, and the height of the
 * frame in pixels.
 */
const overflowOf = async (
  page: Page,
): Promise<{ readonly over: number; readonly height: number }> => {
  const frame = page.frame('framed');
  if (frame === null) throw new Error('the page has no frame');
  return frame.evaluate<{ over: number; height: number }>(`({
    over: document.documentElement.scrollHeight - window.innerHeight, height: window.innerHeight,
  })`);
};

/** Waits until the frame is as high as its content and higher than `height`. */
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

  test('the framed page posts each step of the payment to the merchant’s page, and success with `url` null', async () => {
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
    // The frame does not navigate to the return URL, because the merchant's page decides what to
    // show next.
    await sleep(3_000);
    expect(page.frame('framed')?.url()).toBe(payment.pageUrl);
  });

  test('the framed page posts each new height, so that the merchant’s page can enlarge the frame', async () => {
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

  test('the framed page posts a refused card as an error, and then the steps of the next attempt', async () => {
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

  test('when the payer leaves the bank’s page, the framed page posts that the payment is unchanged', async () => {
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

  test('the framed page posts messages only to the origin of the return URL', async () => {
    const returnUrl = 'http://another-merchant.test/thanks';
    const payment = await newPayment(sandbox, { return_url: returnUrl });
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.plain);
    expect(await endingOf(framed)).toBe('done');
    expect(await messagesOf(page)).toEqual([]);
  });

  test('the framed page posts messages to the referrer’s origin when the payment has no return URL', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl, 'origin');
    await framed.locator('#card-form').waitFor();
    expect(stepsOf(await storyUntil(page, 'loaded'))).toEqual(['init', 'loaded']);
  });

  test('the framed page completes a 3-D Secure payment when neither return URL nor referrer is known', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl, 'no-referrer');
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'approve');
    await storyUntil(page, 'finished');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the bank’s page refuses to be shown in a frame of another site', async () => {
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

  test('a message from a window other than the bank’s confirms no payment', async () => {
    const payment = await newPayment(sandbox);
    const { page, framed } = await open(payment.pageUrl);
    await payWith(framed, CARDS.threeDSecure);
    const bank = framed.frameLocator('.bank-frame');
    await bank.locator('[data-decision=approve]:enabled').waitFor();
    const src = String(await framed.locator('.bank-frame').getAttribute('src'));
    const session = new URL(src).pathname.split('/').at(-1);
    const forged = JSON.stringify({ type: 'result', result: 'approved', session });
    // Sends the forged message from the merchant's page and from the payment page, because neither
    // is the bank's window.
    await page.evaluate(`window.frames.framed.postMessage(${forged}, '*')`);
    await page.frame('framed')?.evaluate(`window.postMessage(${forged}, location.origin)`);
    await sleep(300);
    expect(await framed.locator('.bank-frame').count()).toBe(1);
    expect(await statusOf(sandbox, payment)).toBe('require_authentication');
  });
});
