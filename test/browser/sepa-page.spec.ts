import { PDFDocument } from 'pdf-lib';
import type { Page } from 'playwright-core';
import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import {
  CARDS,
  endingOf,
  giveAccount,
  IBANS,
  lastCode,
  newPayment,
  type NewPayment,
  openPage,
  payWith,
  PHONE,
  statusOf,
  wrongCode,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('direct debit on the hosted page', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const focused = (page: Page): Promise<string> =>
    page.evaluate<string>('document.activeElement.id');

  const sign = async (page: Page, code: string): Promise<void> => {
    await page.locator('#code').fill(code);
    await page.locator('#sign').click();
  };

  /** Opens the page of a new payment and continues to the entry of the code. */
  const atCode = async (
    iban: string = IBANS.accepted,
  ): Promise<{ readonly page: Page; readonly payment: NewPayment }> => {
    const payment = await newPayment(sandbox, { methods_allowed: 'sepa' });
    const { page } = await openPage(browser, payment.pageUrl);
    await giveAccount(page, iban);
    await page.locator('#sign-panel').waitFor();
    return { page, payment };
  };

  const mandateOf = async (): Promise<Readonly<Record<string, unknown>>> => {
    const { body } = await sandbox.call('GET', '/v2/mandates?limit=1');
    return (body as unknown as { mandates: [Readonly<Record<string, unknown>>] }).mandates[0];
  };

  test('a payer signs with the code from the inbox, and receives the signed mandate', async () => {
    const payment = await newPayment(sandbox);
    const { page, complaints } = await openPage(browser, payment.pageUrl);
    await page.locator('#tab-sepa').click();
    expect(await page.locator('#card-form').isVisible()).toBe(false);
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    expect(await page.locator('#sign-lead').innerText()).toContain('0012');
    expect(await page.locator('#sign-account').innerText()).toMatch(/^FR.*0194$/);
    expect(await mandateOf()).toMatchObject({ rum: null, signed_at: null, upload_url: null });

    const [inbox] = await Promise.all([
      page.waitForEvent('popup'),
      page.locator('#inbox-link').click(),
    ]);
    const message = await inbox.locator('.message-body').first().innerText();
    await inbox.close();
    await sign(page, /\d{4}/.exec(message)?.[0] ?? '');

    expect(await endingOf(page)).toBe('processing');
    expect(await statusOf(sandbox, payment)).toBe('processing');
    const { signed_at: signedAt, rum } = await mandateOf();
    expect([signedAt, rum]).toEqual([expect.any(Number), expect.stringMatching(/^RUM/)]);
    const href = await page.locator('#mandate-link').getAttribute('href');
    const document = await page.request.get(`${sandbox.url}${href}`);
    expect(document.headers()['content-type']).toBe('application/pdf');
    const pdf = await PDFDocument.load(await document.body());
    expect(pdf.getTitle()).toContain(String(rum));
    expect(complaints).toEqual([]);
  });

  test('the page shows the link to the mandate when the response to the signature is lost, and after a reload', async () => {
    const { page, payment } = await atCode();
    await page.route('**/sign', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await sign(page, await lastCode(sandbox, payment));
    for (const again of [false, true]) {
      if (again) await page.reload();
      expect(await endingOf(page)).toBe('processing');
      const href = await page.locator('#mandate-link:visible').getAttribute('href');
      const document = await page.request.get(`${sandbox.url}${href}`);
      expect(document.headers()['content-type']).toBe('application/pdf');
    }
  });

  test('the page offers only the payment methods that the merchant allows', async () => {
    const debit = await newPayment(sandbox, { methods_allowed: 'sepa' });
    const { page } = await openPage(browser, debit.pageUrl);
    expect(await page.locator('#sepa-form').isVisible()).toBe(true);
    expect(await page.locator('#card-form, .tab, #test-cards').count()).toBe(0);
    const card = await newPayment(sandbox, { methods_allowed: ['card'] });
    await page.goto(card.pageUrl);
    expect(await page.locator('#card-form').isVisible()).toBe(true);
    expect(await page.locator('#sepa-form, .tab, #test-accounts').count()).toBe(0);
  });

  test('the fifth wrong entry invalidates the code, and the page accepts a newly requested code', async () => {
    const { page, payment } = await atCode();
    const code = await lastCode(sandbox, payment);
    const error = page.locator('#code-error');
    for (const left of [4, 3, 2, 1]) {
      await sign(page, wrongCode(code));
      await error.getByText(`Attempts left: ${left}`).waitFor();
      expect(await focused(page)).toBe('code');
    }
    await sign(page, wrongCode(code));
    await error.getByText('Too many wrong codes').waitFor();
    await sign(page, code);
    await error.getByText('Too many wrong codes').waitFor();
    expect(await statusOf(sandbox, payment)).toBe('require_payment_method');

    await page.locator('#new-code').click();
    await page.locator('#live').getByText('sent you a new code').waitFor();
    await sign(page, await lastCode(sandbox, payment));
    expect(await endingOf(page)).toBe('processing');
  });

  test('a code expires after 10 minutes, and the payer can request a new code', async () => {
    const { page, payment } = await atCode();
    const first = await lastCode(sandbox, payment);
    await sandbox.call('POST', '/sandbox/clock', { advance: 'PT10M' });
    await sign(page, first);
    await page.locator('#code-error').getByText('expired').waitFor();
    await page.locator('#new-code').click();
    await page.locator('#live').getByText('sent you a new code').waitFor();
    const second = await lastCode(sandbox, payment);
    if (second !== first) {
      await sign(page, first);
      await page.locator('#code-error').getByText('Attempts left: 4').waitFor();
    }
    await sign(page, second);
    expect(await endingOf(page)).toBe('processing');
  });

  test('after a reload the page has the field for the code, and still shows the mandate, unlike when it is opened anew', async () => {
    const { page, payment } = await atCode();
    await page.reload();
    await page.locator('#sign-panel').waitFor();
    expect(await page.locator('#sign-lead').innerText()).toContain('0012');
    await sign(page, await lastCode(sandbox, payment));
    expect(await endingOf(page)).toBe('processing');
    expect(await page.locator('#mandate-link').isVisible()).toBe(true);
    await page.reload();
    expect(await endingOf(page)).toBe('processing');
    expect(await page.locator('#mandate-link').isVisible()).toBe(true);
    // A person who opens the page's URL later may not be the signer.
    await page.goto('about:blank');
    await page.goto(payment.pageUrl);
    expect(await endingOf(page)).toBe('processing');
    expect(await page.locator('#mandate-link').isVisible()).toBe(false);
  });

  test('a payer who changes the bank account gets a new mandate, and the first mandate is invalid', async () => {
    const { page, payment } = await atCode();
    const first = await mandateOf();
    const before = await lastCode(sandbox, payment);
    await page.locator('#other-account').click();
    expect(await page.locator('#iban').inputValue()).toBe('');
    await giveAccount(page, IBANS.closed);
    await page.locator('#sign-account').getByText('1358').waitFor();
    expect((await sandbox.call('GET', `/v2/mandates/${String(first['id'])}`)).status).toBe(404);
    const code = await lastCode(sandbox, payment);
    if (code !== before) await sign(page, before);
    await sign(page, code);
    expect(await endingOf(page)).toBe('processing');
  });

  test('the page refuses a bank account that cannot be debited, and accepts a card instead', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.locator('#tab-sepa').click();
    await giveAccount(page, IBANS.real);
    await page.locator('#sign-panel').waitFor();
    await sign(page, await lastCode(sandbox, payment));
    const alert = page.locator('#alert');
    await alert.getByText('cannot be debited').waitFor();
    expect(await page.locator('#iban').inputValue()).toBe('');
    await page.reload();
    await alert.getByText('cannot be debited').waitFor();
    expect(await page.locator('#sepa-form').isVisible()).toBe(true);
    await page.locator('#tab-card').click();
    await payWith(page, CARDS.plain);
    expect(await endingOf(page)).toBe('done');
    expect(await page.locator('#mandate-link').isVisible()).toBe(false);
  });

  test('the form shows each error beside its field', async () => {
    const payment = await newPayment(sandbox, { methods_allowed: 'sepa' });
    const { page } = await openPage(browser, payment.pageUrl);
    await page.locator('#get-code').click();
    expect(await focused(page)).toBe('account-name');
    for (const id of ['account-name', 'iban', 'phone']) {
      expect(await page.locator(`#${id}-error`).innerText()).not.toBe('');
      expect(await page.locator(`#${id}`).getAttribute('aria-invalid')).toBe('true');
    }
    await page.locator('#account-name').fill('Camille Martin');
    await page.locator('#iban').pressSequentially('fr7600000000000000000000195');
    expect(await page.locator('#iban').inputValue()).toBe('FR76 0000 0000 0000 0000 0000 195');
    await page.locator('#phone').fill('06 39 98 00 12');
    await page.locator('#get-code').click();
    expect(await page.locator('#iban-error').innerText()).toContain('typo');
    expect(await focused(page)).toBe('iban');
    // Errors that only the server detects.
    await page.locator('#iban').fill(IBANS.accepted);
    await page.locator('#phone').fill('+33 1 11');
    await page.locator('#get-code').click();
    await page.locator('#phone-error').getByText('phone number').waitFor();
    expect(await focused(page)).toBe('phone');
  });

  test('a payer pays by direct debit with the keyboard alone', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('tab-sepa');
    expect(await page.locator('#tab-sepa').getAttribute('aria-selected')).toBe('true');
    for (const text of ['Camille Martin', IBANS.accepted, PHONE]) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await page.locator('#sign-panel').waitFor();
    expect(await focused(page)).toBe('code');
    await page.keyboard.type(await lastCode(sandbox, payment));
    await page.keyboard.press('Enter');
    expect(await endingOf(page)).toBe('processing');
    expect(await focused(page)).toBe('ending-title');
  });

  test('the page is shown in French, and fits a phone of 320 pixels in every state', async () => {
    const payment = await newPayment(sandbox);
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = (): Promise<number> =>
      page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    await page.goto(payment.pageUrl);
    await page.locator('html[data-ready=yes][lang=fr]').waitFor();
    await page.getByRole('tab', { name: 'Prélèvement' }).click();
    await page.locator('#test-accounts summary').click();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.locator('#test-accounts [data-test-value="0"]').click();
    await page.locator('#get-code').click();
    await page.getByText('Nous avons envoyé un SMS').first().waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await sign(page, await lastCode(sandbox, payment));
    expect(await endingOf(page)).toBe('processing');
    expect(await page.locator('#mandate-link').innerText()).toContain('mandat');
    expect(await overflow()).toBeLessThanOrEqual(0);
  });

  test('the sandbox’s inbox shows a new message without a reload', async () => {
    const { page, payment } = await atCode();
    const inbox = await browser.context.newPage();
    await inbox.goto(`${sandbox.url}/inbox/${payment.id}`);
    expect(await inbox.locator('.message').count()).toBe(1);
    await page.locator('#new-code').click();
    await inbox.locator('.message').nth(1).waitFor();
    expect(await inbox.locator('.message-body').first().innerText()).toContain(
      await lastCode(sandbox, payment),
    );
    await inbox.close();
  });
});
