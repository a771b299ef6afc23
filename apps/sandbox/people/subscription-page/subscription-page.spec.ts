import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort, hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import {
  createCompany,
  fullCompany,
  readCompany,
  smallCompany,
} from '../../onboarding/testing/company.js';
import { ask } from '../../onboarding/testing/partner.js';
import {
  advance,
  codeFor,
  linkToken,
  signedCompany,
} from '../../onboarding/testing/registration.js';
import { EXECUTABLE, JPEG, PDF, PNG, sendAll } from '../../onboarding/testing/upload.js';
import { type Harness, startHarness } from '../../testing/harness.js';
import { subscriptionTexts } from './subscription-texts.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('the registration page', () => {
  let sandbox: Harness;
  let browser: TestBrowser;
  let papers: string;

  beforeAll(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    [sandbox, browser] = await Promise.all([startHarness({ port, publicUrl }), launchBrowser()]);
    papers = await mkdtemp(join(tmpdir(), 'papers-'));
    const files = { 'paper.pdf': PDF, 'front.jpg': JPEG, 'back.png': PNG, 'virus.pdf': EXECUTABLE };
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(papers, name), bytes);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
    await rm(papers, { recursive: true, force: true });
  });

  /** Opens the page of a company and records the errors that the browser reports. */
  const open = async (
    company: string,
    width = 1_000,
    locale = 'en-GB,en',
  ): Promise<{ readonly page: Page; readonly complaints: string[] }> => {
    const page = await browser.page();
    await page.setViewportSize({ width, height: 900 });
    await page.setExtraHTTPHeaders({ 'accept-language': locale });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${sandbox.url}/subscription/${await linkToken(sandbox, company)}`);
    return { page, complaints };
  };

  const sendPaper = async (page: Page, document: string): Promise<void> => {
    const paper = page.locator(`.paper[data-document="${document}"][data-there="no"]`).first();
    await paper.locator('[data-file]').setInputFiles(join(papers, 'paper.pdf'));
    await Promise.all([page.waitForEvent('load'), paper.locator('button').click()]);
  };

  const sendCard = async (page: Page): Promise<void> => {
    const paper = page.locator('.paper[data-document="idcard"][data-there="no"]').first();
    const [front, back] = [
      paper.locator('[data-file]').nth(0),
      paper.locator('[data-file]').nth(1),
    ];
    await front.setInputFiles(join(papers, 'front.jpg'));
    await back.setInputFiles(join(papers, 'back.png'));
    await paper.locator('[data-meta="number"]').fill('X4RTBPFW4');
    await paper.locator('[data-meta="date-issue"]').fill('2020-01-02');
    await paper.locator('[data-meta="date-expiry"]').fill('2035-01-01');
    await Promise.all([page.waitForEvent('load'), paper.locator('button').click()]);
  };

  test('a merchant reviews the details, uploads missing documents and signs with the code', async () => {
    const { company } = await createCompany(sandbox);
    const { page, complaints } = await open(company.id);
    const review = await page.locator('main').innerText();
    expect(review).toContain('Atelier Lumière');
    expect(review).toContain('•••• 0189');
    expect(review).not.toContain('FR76');
    expect(await page.locator('#send-code').isDisabled()).toBe(true);

    await sendPaper(page, 'kbis');
    await sendPaper(page, 'iban');
    await sendCard(page);
    await sendCard(page);
    expect(await page.locator('.paper[data-there="no"]').count()).toBe(0);

    await page.locator('#send-code').click();
    await page.locator('#code').waitFor();
    const [inbox] = await Promise.all([
      browser.context.waitForEvent('page'),
      page.locator('#code-form a').click(),
    ]);
    const message = await inbox.locator('.inbox li').first().innerText();
    const code = /(\d{4}) is your code|(\d{4}) est votre code/
      .exec(message)
      ?.slice(1)
      .find(Boolean);
    await inbox.close();

    await page.locator('#code').fill(code === '0000' ? '0001' : '0000');
    await page.locator('#code-form button').click();
    await page.locator('#sign-error:not(:empty)').waitFor();
    expect(await page.locator('#sign-error').innerText()).toContain('code is wrong');
    await page.locator('#code').fill(code ?? '');
    await Promise.all([
      page.locator('#status-panel').waitFor(),
      page.locator('#code-form button').click(),
    ]);
    expect(await page.locator('#status-panel').innerText()).toContain('your contract is signed');
    expect((await readCompany(sandbox, company.id)).company.status).toBe('pendingActivation');
    expect(complaints).toEqual([]);
  });

  test('a merchant sees which missing data only the platform can add, and why a file was rejected', async () => {
    const { company } = await createCompany(sandbox, smallCompany());
    const { page } = await open(company.id);
    expect(await page.locator('#missing').innerText()).toContain('headquarters-address');
    const paper = page.locator('.paper[data-document="kbis"]');
    await paper.locator('button').click();
    expect(await paper.locator('.field-error').innerText()).toBe('Choose the file first.');
    await paper.locator('[data-file]').setInputFiles(join(papers, 'virus.pdf'));
    await paper.locator('button').click();
    await paper.locator('.field-error', { hasText: 'must be one of' }).waitFor();
    expect((await readCompany(sandbox, company.id)).company.documents).toEqual([]);
  });

  test('a merchant cannot sign when the details have changed, but sees the new details and signs them', async () => {
    const made = await createCompany(sandbox);
    await sendAll(sandbox, made);
    const { page } = await open(made.company.id);
    await ask(sandbox, 'PATCH', `/company?id=${made.company.id}`, { 'legal-name': 'Another' });
    await page.locator('#send-code').click();
    await page.locator('#code').waitFor();
    await page.locator('#code').fill(await codeFor(sandbox, made.company.id));
    await Promise.all([page.waitForEvent('load'), page.locator('#code-form button').click()]);
    await page.locator('#sign-error', { hasText: 'changed meanwhile' }).waitFor();
    expect(await page.locator('main').innerText()).toContain('Another');
    await page.locator('#send-code').click();
    await page.locator('#code').waitFor();
    await page.locator('#code').fill(await codeFor(sandbox, made.company.id));
    await page.locator('#code-form button').click();
    await page.locator('#status-panel').waitFor();
  });

  test('a merchant sees after the signature the status, the keys once, and the terminals with their actions', async () => {
    const { company } = await signedCompany(sandbox);
    await advance(sandbox, 'P2D');
    const account = company.accounts[0]?.id ?? '';
    const place = `company=${company.id}&account=${account}&name=Counter`;
    expect((await ask(sandbox, 'POST', `/payment-terminal?${place}`)).status).toBe(200);
    await advance(sandbox, 'P2D');
    const { page, complaints } = await open(company.id);
    expect(await page.locator('#status-panel').innerText()).toContain('Your account is open');
    await page.locator('#show-keys').click();
    await page.locator('#keys').waitFor();
    expect(await page.locator('#key-test').innerText()).toMatch(/^stest_\w{32}$/);
    await page.reload();
    expect(await page.locator('#keys-shown').count()).toBe(1);
    await Promise.all([page.waitForEvent('load'), page.locator('[data-move="lose"]').click()]);
    expect(await page.locator('.terminal code').innerText()).toBe('posLostByCarrier');
    expect(complaints).toEqual([]);
  });

  test('a merchant sees the page in French when the browser prefers French', async () => {
    const { company } = await createCompany(sandbox);
    const { page } = await open(company.id, 1_000, 'fr-FR,fr');
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    expect(await page.locator('h1').innerText()).toContain('Votre inscription');
    expect(await page.locator('#sign-title').innerText()).toBe('Votre signature');
  });

  test('a merchant can use the page on a phone, where nothing is clipped and every field and button has an accessible name', async () => {
    const long = 'Établissements de la Compagnie générale des lumières et des soieries réunies';
    const { company } = await createCompany(sandbox, fullCompany({ 'legal-name': long }));
    const { page } = await open(company.id, 320);
    const overhang = await page.evaluate<number>(
      'document.documentElement.scrollWidth - window.innerWidth',
    );
    expect(overhang).toBeLessThanOrEqual(0);
    const nameless = await page.evaluate<number>(`
      [...document.querySelectorAll('input, button')].filter((element) =>
        !(element.labels?.length > 0) &&
        (element.getAttribute('aria-label') ?? element.textContent).trim() === '').length`);
    expect(nameless).toBe(0);
    const small = await page
      .locator('button:visible')
      .evaluateAll(
        (buttons) => buttons.filter((button) => button.getBoundingClientRect().height < 44).length,
      );
    expect(small).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
  });
});

test('every text of the page exists in both languages', () => {
  const [english, french] = [subscriptionTexts('en'), subscriptionTexts('fr')];
  expect(Object.keys(french).sort()).toEqual(Object.keys(english).sort());
  expect(Object.values(french).filter((text) => text.trim() === '')).toEqual([]);
});
