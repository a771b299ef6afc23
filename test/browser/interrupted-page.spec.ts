import { hasBrowser, launchBrowser, type TestBrowser, waitFor } from '#testing';
import { type Harness, startHarness, TEST_KEY } from '../../apps/sandbox/testing/harness.js';
import {
  atBank,
  CARDS,
  endingOf,
  lastAttempt,
  newPayment,
  openPage,
  payWith,
  statusOf,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

/**
 * The payer interrupts a payment at each step of
 * docs/provider/payments.md#online-payment-flow-with-3d-secure-authorization-then-capture.
 */
inBrowser('a payment that the payer interrupts', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const advance = (duration: string) =>
    sandbox.call('POST', '/sandbox/clock', { advance: duration });
  const capture = (id: string) => sandbox.call('POST', `/v2/payment_intents/${id}/capture`);

  test('an interruption before the authorization leaves the payment unauthorized, and a capture is refused', async () => {
    const payment = await newPayment(sandbox, { capture: false });
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await page.frameLocator('.bank-frame').locator('button:enabled').first().waitFor();
    await page.goto('about:blank');
    expect(await statusOf(sandbox, payment)).toBe('require_authentication');
    expect((await capture(payment.id)).status).toBe(409);
  });

  test('six hours after an interruption, the bank’s session has expired and the payment page accepts another card', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    const approve = page.frameLocator('.bank-frame').locator('[data-decision=approve]:enabled');
    await approve.waitFor();
    await advance('PT5H59M');
    expect((await lastAttempt(sandbox, payment)).authStatus).toBe('attempted');
    await advance('PT1M');
    expect((await lastAttempt(sandbox, payment)).authStatus).toBe('expired');
    expect(await statusOf(sandbox, payment)).toBe('require_payment_method');
    await approve.click();
    await page.locator('#alert').getByText('expired').waitFor();
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
  });

  test('an interruption after the authorization leaves the amount authorized, and the merchant may capture the amount', async () => {
    const payment = await newPayment(sandbox, { capture: false });
    const { page } = await openPage(browser, payment.pageUrl);
    await page.route('**/confirm', (route) => route.abort());
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    await waitFor(async () => (await statusOf(sandbox, payment)) === 'authorized');
    // Leaves the page before the browser is closed: the page sends the confirmation again while it
    // closes, and the test could not abort that request.
    await page.goto('about:blank');
    await page.close();
    expect((await capture(payment.id)).body['status']).toBe('to_capture');
  });

  test('under automatic capture, a payment interrupted after its authorization stays authorized and cannot be captured', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.route('**/confirm', (route) => route.abort());
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    await waitFor(async () => (await statusOf(sandbox, payment)) === 'authorized');
    await page.goto('about:blank');
    expect(await statusOf(sandbox, payment)).toBe('authorized');
    await advance('PT15M1S');
    // The session of the payment page ended after 15 minutes, so a confirmation that the browser
    // sends now has no effect.
    await page.unroute('**/confirm');
    const late = await page.request.post(`${payment.pageUrl}/confirm`, { data: {} });
    expect(await late.json()).toMatchObject({ status: 'authorized' });
    expect(await statusOf(sandbox, payment)).toBe('authorized');
    expect((await capture(payment.id)).status).toBe(409);
  });

  test('a reload of the page after the authorization sends the lost confirmation', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.route('**/confirm', (route) => route.abort());
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    await waitFor(async () => (await statusOf(sandbox, payment)) === 'authorized');
    await page.goto('about:blank');
    await page.unroute('**/confirm');
    await page.goto(payment.pageUrl);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the page shows no success when the confirmation does not arrive at the provider', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.route('**/confirm', (route) => route.fulfill({ status: 503, json: { error: 'x' } }));
    await payWith(page, CARDS.plain);
    await page.locator('#alert').getByText('Your bank has approved the payment').waitFor();
    expect(await page.locator('#ending-panel').isVisible()).toBe(false);
    expect(await statusOf(sandbox, payment)).toBe('authorized');
    await page.unroute('**/confirm');
    // The payer's next attempt confirms the payment, which is already authorized.
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the page shows the success when only the response to the confirmation is lost', async () => {
    const payment = await newPayment(sandbox, { capture: false });
    const { page } = await openPage(browser, payment.pageUrl);
    await page.route('**/confirm', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('authorized');
  });

  test('no page, script or request in the payer’s browser contains an API key', async () => {
    const payment = await newPayment(sandbox);
    const page = await browser.page();
    const seen: Promise<string>[] = [];
    const sent: string[] = [];
    page.on('response', (response) => seen.push(response.text().catch(() => '')));
    page.on('request', (request) => sent.push(...Object.keys(request.headers())));
    await page.goto(payment.pageUrl);
    await page.locator('html[data-ready=yes]').waitFor();
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
    const received = (await Promise.all(seen)).join('\n');
    expect(received.includes(payment.id)).toBe(true);
    expect(/stest_|sprod_/.test(received) || received.includes(TEST_KEY)).toBe(false);
    expect(sent).toContain('user-agent');
    expect(sent).not.toContain('authorization');
  });
});
