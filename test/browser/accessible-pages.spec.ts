import type { Page } from 'playwright-core';
import { freePort, hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { createCompany } from '../../apps/sandbox/onboarding/testing/company.js';
import { ask } from '../../apps/sandbox/onboarding/testing/partner.js';
import {
  advance,
  linkToken,
  signedCompany,
} from '../../apps/sandbox/onboarding/testing/registration.js';
import { sendAll } from '../../apps/sandbox/onboarding/testing/upload.js';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { violationsInBoth, violationsOn } from '../../tools/infra/axe.mjs';
import {
  atBank,
  CARDS,
  endingOf,
  fillCard,
  giveAccount,
  IBANS,
  lastCode,
  newPayment,
  openPage,
  payWith,
} from './support/payer.js';

(hasBrowser() ? describe : describe.skip)('no accessibility violation is found on', () => {
  let sandbox: Harness;
  let browser: TestBrowser;

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    [sandbox, browser] = await Promise.all([startHarness({ port, publicUrl }), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
  });

  /**
   * Collects the accessibility violations of a page, with the name of the page's state. `check`
   * checks light mode. `checkInBoth` checks light and dark mode, for states with additional
   * colours.
   */
  const checker = (page: Page) => {
    const wrong: string[] = [];
    const add = (state: string, found: readonly string[]) =>
      wrong.push(...found.map((one) => `${state}, ${one}`));
    return {
      wrong,
      check: async (state: string) => add(state, await violationsOn(page)),
      checkInBoth: async (state: string) => add(state, await violationsInBoth(page)),
    };
  };

  test('the payment page and the bank’s page of a card payment', async () => {
    const { pageUrl } = await newPayment(sandbox);
    const { page } = await openPage(browser, pageUrl);
    const { wrong, check, checkInBoth } = checker(page);
    await page.locator('#test-cards summary').click();
    await page.locator('#pay').click();
    await page.locator('#number[aria-invalid=true]').waitFor();
    await checkInBoth('errors');
    await payWith(page, CARDS.threeDSecure);
    await page.frameLocator('.bank-frame').locator('button:enabled').first().waitFor();
    await checkInBoth('bank');
    await atBank(page, 'leave');
    await page.locator('#return-to-bank').waitFor();
    await checkInBoth('left');
    await fillCard(page, CARDS.plain);
    await page.locator('#pay').click();
    await endingOf(page);
    await check('done');
    await page.goto(`${sandbox.url}/pay/pi_unknown`);
    await check('missing');
    await page.goto(`${sandbox.url}/bank/unknown`);
    await check('bank over');
    expect(wrong).toEqual([]);
  });

  test('the payment page of a direct debit, and the inbox of its messages', async () => {
    const payment = await newPayment(sandbox, { return_url: `${sandbox.url}/health/live` });
    const { page } = await openPage(browser, payment.pageUrl);
    const { wrong, check, checkInBoth } = checker(page);
    await page.locator('#tab-sepa').click();
    await page.locator('#test-accounts summary').click();
    await page.locator('#get-code').click();
    await page.locator('#iban[aria-invalid=true]').waitFor();
    await checkInBoth('errors');
    await giveAccount(page, IBANS.accepted);
    await page.locator('#sign-panel').waitFor();
    await checkInBoth('code');
    const inbox = await browser.context.newPage();
    await inbox.goto(`${sandbox.url}/inbox/${payment.id}`);
    await inbox.locator('.message').waitFor();
    const inInbox = checker(inbox);
    await inInbox.check('inbox');
    await inbox.close();
    await page.locator('#code').fill(await lastCode(sandbox, payment));
    await page.locator('#sign').click();
    await endingOf(page);
    await check('signed');
    expect([...wrong, ...inInbox.wrong]).toEqual([]);
  });

  test('the registration page before and after the signature, and the inbox of its messages', async () => {
    const page = await browser.page();
    const { wrong, check, checkInBoth } = checker(page);
    const show = async (company: string): Promise<void> => {
      await page.goto(`${sandbox.url}/subscription/${await linkToken(sandbox, company)}`);
    };
    const made = await createCompany(sandbox);
    await show(made.company.id);
    await page.locator('.paper[data-document="kbis"] button').click();
    await check('documents missing');
    await sendAll(sandbox, made);
    await page.reload();
    await page.locator('#send-code').click();
    await page.locator('#code').fill('12');
    await page.locator('#code-form button').click();
    await checkInBoth('code');
    const inbox = await page.locator('#code-form a').getAttribute('href');
    await page.goto(new URL(inbox ?? '', sandbox.url).href);
    await check('inbox');
    const { company } = await signedCompany(sandbox);
    await advance(sandbox, 'P2D');
    const account = company.accounts[0]?.id ?? '';
    const place = `company=${company.id}&account=${account}&name=Counter`;
    await ask(sandbox, 'POST', `/payment-terminal?${place}`);
    await show(company.id);
    await page.locator('#show-keys').click();
    await page.locator('#keys').waitFor();
    await checkInBoth('available');
    await page.goto(`${sandbox.url}/subscription/unknown`);
    await check('unknown link');
    expect(wrong).toEqual([]);
  });
});
