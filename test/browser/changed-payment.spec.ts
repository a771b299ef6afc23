import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import {
  atBank,
  CARDS,
  endingOf,
  giveAccount,
  IBANS,
  lastCode,
  type NewPayment,
  newPayment,
  openPage,
  payWith,
  statusOf,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('an open payment page whose amount the merchant changes', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const changeAmount = async ({ id }: NewPayment): Promise<void> => {
    const { status } = await sandbox.call('PATCH', `/v2/payment_intents/${id}`, { amount: 99_900 });
    expect(status).toBe(200);
  };
  const amountsOf = async ({ id }: NewPayment): Promise<readonly number[]> => {
    const { body } = await sandbox.call('GET', `/v2/payment_intents/${id}/payments`);
    return (body as unknown as readonly { amount: number }[]).map(({ amount }) => amount);
  };

  test('makes no card payment, and shows the new amount, which the payer can then pay', async () => {
    const payment = await newPayment(sandbox, { capture: false });
    const { page } = await openPage(browser, payment.pageUrl);
    await changeAmount(payment);
    await payWith(page, CARDS.plain);
    await page.locator('#alert').getByText('The amount has changed').waitFor();
    expect(await page.locator('.summary-amount').innerText()).toBe('€999.00');
    expect(await page.locator('#pay').innerText()).toContain('€999.00');
    expect(await amountsOf(payment)).toEqual([]);
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await amountsOf(payment)).toEqual([99_900]);
    await page.reload();
    expect(await page.locator('#alert:visible').count()).toBe(0);
  });

  test('signs no mandate, and asks the payer to begin again with the new amount', async () => {
    const payment = await newPayment(sandbox);
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await page.goto(payment.pageUrl);
    await page.locator('#tab-sepa').click();
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    const code = await lastCode(sandbox, payment);
    await changeAmount(payment);
    await page.locator('#code').fill(code);
    await page.locator('#sign').click();
    await page.locator('#alert').getByText('Le montant a changé').waitFor();
    expect(await amountsOf(payment)).toEqual([]);
    await page.locator('#tab-sepa').click();
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    expect(await page.locator('#sign').innerText()).toContain('999,00');
    await page.locator('#code').fill(await lastCode(sandbox, payment));
    await page.locator('#sign').click();
    expect(await endingOf(page)).toBe('processing');
    expect(await page.locator('#ending-text').innerText()).toContain('999,00');
    expect(await amountsOf(payment)).toEqual([99_900]);
  });

  test('sends no new signing code for the amount that the payer no longer owes', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.locator('#tab-sepa').click();
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    await changeAmount(payment);
    await page.locator('#new-code').click();
    await page.locator('#alert').getByText('The amount has changed').waitFor();
    const { body } = await sandbox.call('GET', `/sandbox/messages?payment_intent=${payment.id}`);
    expect(body).toMatchObject({ messages: [{ body: null }] });
  });

  test('shows the new amount after the change has ended the payer’s session at the bank', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await payWith(page, CARDS.threeDSecure);
    const approve = page.frameLocator('.bank-frame').locator('[data-decision=approve]:enabled');
    await approve.waitFor();
    await changeAmount(payment);
    await approve.click();
    await page.locator('#alert').getByText('The amount has changed').waitFor();
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('shows the amount that was paid in another window', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await changeAmount(payment);
    const other = await browser.context.newPage();
    await other.goto(payment.pageUrl);
    await payWith(other, CARDS.plain);
    expect(await endingOf(other)).toBe('done');
    await other.close();
    await payWith(page, CARDS.plain);
    await page.locator('#ending-title:visible').waitFor();
    expect(await page.locator('.summary-amount').innerText()).toBe('€999.00');
    expect(await page.locator('#amount-label').innerText()).toBe('Amount paid');
    expect(await amountsOf(payment)).toEqual([99_900]);
  });
});
