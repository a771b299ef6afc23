import type { Page } from 'playwright-core';
import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import {
  CARDS,
  lastAttempt,
  type NewPayment,
  newPayment,
  statusOf,
  typedCard,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('the bank’s page outside a frame', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const returnUrl = (): string => `${sandbox.url}/health/live`;

  /** Opens the bank's page of a new payment, from which the payer returns to the merchant. */
  const atBank = async (): Promise<{ readonly page: Page; readonly payment: NewPayment }> => {
    const payment = await newPayment(sandbox, { return_url: returnUrl() });
    const session = await sandbox.pageFlow.submitCard(payment.id, typedCard(CARDS.threeDSecure));
    if (session.next !== 'secure_auth') throw new Error('the bank was not asked');
    const page = await browser.page();
    await page.goto(`${sandbox.url}/bank/${session.authSessionId}`);
    return { page, payment };
  };

  const press = (page: Page, decision: string): Promise<void> =>
    page.locator(`[data-decision=${decision}]:enabled`).click();

  test.each([
    ['does not reach the payment service', null],
    ['is answered with a 503', 503],
  ])(
    'repeats the browser’s confirmation, which %s, and leads back to the merchant',
    async (_what, status) => {
      const { page, payment } = await atBank();
      await page.route(
        '**/confirm',
        (route) => (status === null ? route.abort() : route.fulfill({ status, body: '{}' })),
        { times: 2 },
      );
      await press(page, 'approve');
      await page.waitForURL(returnUrl());
      expect(await statusOf(sandbox, payment)).toBe('to_capture');
    },
  );

  test('asks the payer to try again when the bank does not answer the decision', async () => {
    const { page, payment } = await atBank();
    await page.route('**/decision', (route) => route.fulfill({ status: 500, body: '{}' }), {
      times: 1,
    });
    await press(page, 'approve');
    await page.getByText('The bank did not answer. Please try again.').waitFor();
    await press(page, 'approve');
    await page.waitForURL(returnUrl());
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('confirms an approved payment and leads back when it is loaded again after a lost confirmation', async () => {
    const { page, payment } = await atBank();
    await page.route('**/confirm', (route) => route.abort());
    const lost = page.waitForRequest('**/confirm');
    await press(page, 'approve');
    await lost;
    const bankUrl = page.url();
    await page.goto('about:blank');
    expect(await statusOf(sandbox, payment)).toBe('authorized');
    await page.unroute('**/confirm');
    await page.goto(bankUrl);
    await page.waitForURL(returnUrl());
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('leads back to the merchant when it is loaded again after the payer’s refusal', async () => {
    const { page, payment } = await atBank();
    const decided = page.waitForResponse('**/decision');
    await press(page, 'refuse');
    await decided;
    await page.reload();
    await page.waitForURL(returnUrl());
    expect((await lastAttempt(sandbox, payment)).authStatus).toBe('declined');
  });
});
