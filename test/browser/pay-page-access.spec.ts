import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { overflowOf } from './support/layout.js';
import {
  atBank,
  CARDS,
  endingOf,
  newPayment,
  type NewPayment,
  openPage,
  payWith,
  statusOf,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

/** The relative luminance of the page's background: 0 is black, 1 is white. */
const luminanceOf = async (page: Page): Promise<number> => {
  const color = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
};

inBrowser('accessibility of the hosted page', () => {
  let sandbox: Harness;
  let browser: TestBrowser;
  let unpaid: NewPayment;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
    unpaid = await newPayment(sandbox);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  const open = async (): Promise<Page> => {
    const { pageUrl } = await newPayment(sandbox);
    return (await openPage(browser, pageUrl)).page;
  };

  /**
   * The empty card form. The tests that submit no valid card share the page of one payment, because
   * loading a page is expensive.
   */
  const emptyForm = async (): Promise<Page> => {
    const page = await browser.page();
    if (page.url() !== unpaid.pageUrl) await openPage(browser, unpaid.pageUrl);
    for (const id of ['number', 'expiry', 'cvc', 'name']) await page.locator(`#${id}`).fill('');
    return page;
  };

  test('a payer can pay with the keyboard alone, on the bank’s page too', async () => {
    const payment = await newPayment(sandbox);
    const { page } = await openPage(browser, payment.pageUrl);
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.id');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('tab-card');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('number');
    await page.keyboard.type(CARDS.threeDSecure);
    await page.keyboard.press('Tab');
    await page.keyboard.type('1231');
    // The focus stays in the field of the expiry date, even when the date is complete.
    expect(await focused()).toBe('expiry');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('cvc');
    await page.keyboard.type('123');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Camille Martin');
    await page.keyboard.press('Enter');
    const approve = page.frameLocator('.bank-frame').locator('[data-decision=approve]:enabled');
    await approve.waitFor();
    expect(await focused()).toBe('bank-title');
    for (let tabs = 0; tabs < 3; tabs += 1) {
      await page.keyboard.press('Tab');
      if (await approve.evaluate((button) => button.matches(':focus'))) break;
    }
    await page.keyboard.press('Enter');
    expect(await endingOf(page)).toBe('done');
    expect(await focused()).toBe('ending-title');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');
  });

  test('the page shows the brand of a test card while its number is typed', async () => {
    const page = await emptyForm();
    const brand = page.locator('#brands .brand:visible');
    const typed: Record<string, string | null> = {};
    for (const number of ['9999000000000012', '9999000000000020', '9999000000000079']) {
      await page.locator('#number').fill('');
      await page.locator('#number').pressSequentially(number.slice(0, 12));
      expect(await brand.getAttribute('data-brand')).toBe('card');
      await page.locator('#number').pressSequentially(number.slice(12));
      typed[number] = await brand.getAttribute('data-brand');
    }
    expect(Object.values(typed)).toEqual(['visa', 'mastercard', 'cb']);
    await page.locator('#number').press('Backspace');
    await page.locator('#number').press('Backspace');
    expect(await brand.getAttribute('data-brand')).toBe('card');
  });

  test.each([
    ['a full number of another brand', '5555555555554444', '1231', '12 / 31', '123'],
    ['a code of four digits', '378282246310005', '1231', '12 / 31', '1234'],
    ['a year of four digits', CARDS.plain, '12/2031', '12 / 31', '123'],
    ['a year of four digits and spaces', CARDS.plain, '1 / 2031', '01 / 31', '123'],
  ])('Tab alone moves the focus from field to field: %s', async (_, number, date, shown, code) => {
    const page = await emptyForm();
    await page.locator('#number').focus();
    await page.keyboard.type(number);
    for (const text of [date, code, 'Camille Martin']) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    expect(await page.locator('#number').inputValue()).toMatch(/^\d{4} /);
    expect(await page.locator('#expiry').inputValue()).toBe(shown);
    expect(await page.locator('#cvc').inputValue()).toBe(code);
    expect(await page.locator('#name').inputValue()).toBe('Camille Martin');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('pay');
  });

  test('the form shows each error beside its field, and focuses the first field with an error', async () => {
    const page = await emptyForm();
    await page.locator('#number').fill('9999 0000 0000 0013');
    await page.locator('#pay').click();
    const error = page.locator('#number-error');
    expect(await error.innerText()).toContain('not complete or has a typo');
    expect(await page.locator('#cvc-error').innerText()).toContain('3 digits');
    expect(await page.locator('#number').getAttribute('aria-invalid')).toBe('true');
    const describedBy = await page.locator('#number').getAttribute('aria-describedby');
    expect(describedBy).toContain('number-error');
    expect(await page.evaluate('document.activeElement.id')).toBe('number');
    expect(await page.locator('#live').innerText()).not.toBe('');
  });

  test('the form groups the digits of the card number as on the card, and recognises the brand', async () => {
    const page = await emptyForm();
    const brand = (): Promise<string | null> => page.locator('#brands').getAttribute('data-brand');
    const number = page.locator('#number');
    await number.pressSequentially('37828');
    expect(await number.inputValue()).toBe('3782 8');
    expect(await brand()).toBe('amex');
    await number.fill('');
    await number.pressSequentially('411111');
    expect(await number.inputValue()).toBe('4111 11');
    expect(await brand()).toBe('visa');
    // The cursor stays behind a digit that is inserted in the middle of the number; it does not
    // jump to the end.
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('9');
    expect(await number.inputValue()).toBe('4911 111');
    await page.keyboard.type('2');
    expect(await number.inputValue()).toBe('4921 1111');
    await page.locator('#expiry').pressSequentially('829');
    expect(await page.locator('#expiry').inputValue()).toBe('08 / 29');
  });

  test('the form refuses digits in the cardholder’s name, while typing and on submission', async () => {
    const page = await emptyForm();
    await page.locator('#name').pressSequentially('Camille 4');
    expect(await page.locator('#name-error').innerText()).toBe('Enter the name without digits.');
    await page.locator('#name').fill('Camille Martin');
    expect(await page.locator('#name-error').innerText()).toBe('');
    await page.locator('#test-cards summary').click();
    await page.locator('#test-cards [data-test-value="0"]').click();
    await page.locator('#name').fill('9999000000000012');
    await page.locator('#pay').click();
    expect(await page.locator('#name').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('name');
  });

  test('a click on a listed test card fills the form', async () => {
    const page = await open();
    await page.locator('#test-cards summary').click();
    await page.locator('#test-cards [data-test-value="0"]').click();
    await page.locator('#pay').click();
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
  });

  test('a click before the page’s scripts have loaded takes effect when they have loaded', async () => {
    const page = await browser.page();
    await page.route('**/page-assets/card-rules.js', async (route) => {
      await sleep(1_000);
      await route.continue();
    });
    const payment = await newPayment(sandbox);
    await page.goto(payment.pageUrl, { waitUntil: 'commit' });
    await payWith(page, CARDS.threeDSecure);
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
  });

  test('payment page, errors and bank’s page are in French for payers whose browser prefers French', async () => {
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'de, fr-CA;q=0.9, en;q=0.5' });
    const { pageUrl } = await newPayment(sandbox);
    await page.goto(pageUrl);
    await page.locator('html[data-ready=yes][lang=fr]').waitFor();
    expect(await page.locator('#pay').innerText()).toMatch(/Payer 42,50\s€/);
    await payWith(page, CARDS.insufficientFunds);
    await page.locator('#alert').waitFor();
    expect(await page.locator('#alert').innerText()).toContain('provision');
    await payWith(page, CARDS.threeDSecure);
    const bank = page.frameLocator('.bank-frame');
    expect(await bank.locator('[data-decision=approve]').innerText()).toBe('Approuver');
    await atBank(page, 'approve');
    expect(await endingOf(page)).toBe('done');
    expect(await page.locator('#ending-title').innerText()).toContain('Merci');
  });

  test('the page fits a phone of 320 pixels in every state, without horizontal scrolling', async () => {
    const page = await open();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.locator('#test-cards summary').click();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await payWith(page, CARDS.insufficientFunds);
    await page.locator('#alert').waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await payWith(page, CARDS.threeDSecure);
    await page.frameLocator('.bank-frame').locator('button:enabled').first().waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await atBank(page, 'approve');
    await endingOf(page);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  });

  test('the page is dark or light, as the payer’s browser prefers', async () => {
    const page = await open();
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await luminanceOf(page)).toBeGreaterThan(0.9);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await luminanceOf(page)).toBeLessThan(0.1);
  });
});
