import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import {
  atBank,
  CARDS,
  endingOf,
  lastAttempt,
  newPayment,
  openPage,
  payWith,
  statusOf,
  typedCard,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('the hosted payment page', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  test('a payment by card with 3-D Secure is authorized and confirmed, and awaits its capture', async () => {
    const payment = await newPayment(sandbox);
    const { page, complaints } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
    expect(await lastAttempt(sandbox, payment)).toEqual({ response: '00', authStatus: 'success' });
    expect(complaints).toEqual([]);
  });

  test('a payment under manual capture stays authorized', async () => {
    const payment = await newPayment(sandbox, { capture: false });
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('authorized');
  });

  test('the page shows why a card was refused, and accepts another card', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.insufficientFunds);
    const alert = page.locator('#alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('not enough money');
    expect(await alert.innerText()).toContain('51');
    expect(await page.locator('#number').inputValue()).toBe('');
    expect(await statusOf(sandbox, payment)).toBe('require_payment_method');
    await page.reload();
    expect(await alert.innerText()).toContain('not enough money');
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
  });

  test('the page never shows the payer that a card was reported lost', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.lost);
    await page.locator('#alert').waitFor();
    const shown = await page.content();
    expect(await page.locator('#alert').innerText()).toContain('05');
    expect(shown).not.toMatch(/reported lost|Code 41/i);
    expect((await lastAttempt(sandbox, payment)).response).toBe('41');
  });

  test('a payer who refuses the authentication at the bank authorizes nothing and can try again', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'refuse');
    await page.locator('#alert').waitFor();
    expect(await page.locator('#alert').innerText()).toContain('did not confirm');
    expect(await statusOf(sandbox, payment)).toBe('require_payment_method');
    expect((await lastAttempt(sandbox, payment)).authStatus).toBe('declined');
  });

  test('a payer who leaves the bank’s page authorizes nothing and can pay by a card without 3-D Secure', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'leave');
    await page.locator('#alert').getByText('You left before confirming').waitFor();
    expect(await statusOf(sandbox, payment)).toBe('require_authentication');
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('on a new visit, the payment page shows that the payer has left the bank’s page, and leads back to the bank', async () => {
    const payment = await newPayment(sandbox);
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await page.goto(payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'leave');
    const left = page.locator('#alert').getByText('Vous avez quitté la page avant de confirmer');
    await left.waitFor();
    await page.goto('about:blank');
    await page.goto(payment.pageUrl);
    await left.waitFor();
    expect(await page.locator('.bank-frame').count()).toBe(0);
    await page.getByRole('button', { name: 'Revenir à votre banque' }).click();
    await page.frameLocator('.bank-frame').locator('button:enabled').first().waitFor();
    // The payer has returned to the bank, so a reload continues there.
    await page.reload();
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
    expect(await lastAttempt(sandbox, payment)).toMatchObject({ authStatus: 'success' });
  });

  test('the payment page shows that the payer has left the bank’s page, which was opened outside a frame', async () => {
    const payment = await newPayment(sandbox, { return_url: `${sandbox.url}/health/live` });
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    const bank = page.frameLocator('.bank-frame');
    await bank.locator('button:enabled').first().waitFor();
    const session = await page.locator('.bank-frame').getAttribute('src');
    await page.goto(session ?? '');
    await page.locator('[data-decision=leave]').click();
    await page.waitForURL('**/health/live');
    await page.goto(payment.pageUrl);
    await page.locator('#alert').getByText('You left before confirming').waitFor();
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
  });

  test('a reload of the payment page continues the open session at the bank', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    await page.frameLocator('.bank-frame').locator('button:enabled').first().waitFor();
    await page.reload();
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the page opens the bank’s page without a click, and confirms the payment after the payer’s return', async () => {
    const returnUrl = `${sandbox.url}/health/live`;
    const payment = await newPayment(sandbox, { return_url: returnUrl });
    const session = await sandbox.pageFlow.submitCard(payment.id, typedCard(CARDS.threeDSecure));
    if (session.next !== 'secure_auth') throw new Error('the bank was not asked');
    const page = await browser.page();
    await page.goto(`${sandbox.url}/bank/${session.authSessionId}`);
    await page.locator('[data-decision=approve]').click();
    await page.waitForURL(returnUrl);
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the bank’s page reports that its session has ended, and the payer can try again', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    const approve = page.frameLocator('.bank-frame').locator('[data-decision=approve]:enabled');
    await approve.waitFor();
    // The payer starts a second attempt in another window, which ends the bank's session in the
    // first window.
    await sandbox.pageFlow.submitCard(payment.id, typedCard(CARDS.insufficientFunds));
    await approve.click();
    await page.locator('#alert').waitFor();
    expect(await page.locator('#alert').innerText()).toContain('expired');
    expect(await page.locator('#card-form').isVisible()).toBe(true);
  });

  test('a payment page that is opened after the payment shows the final result', async () => {
    const payment = await newPayment(sandbox);
    await sandbox.call('DELETE', `/v2/payment_intents/${payment.id}`);
    const { page } = await openPage(browser, payment.pageUrl);
    expect(await endingOf(page)).toBe('canceled');
    expect(await page.locator('#card-form').count()).toBe(0);
  });

  test('a page outside a frame redirects the payer to the merchant after the payment', async () => {
    const returnUrl = `${sandbox.url}/health/live?order=7`;
    const payment = await newPayment(sandbox, { return_url: returnUrl });
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.plain);
    await page.waitForURL(returnUrl);
  });
});
