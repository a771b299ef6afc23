import type { Page } from 'playwright-core';
import { createLogger, type HttpApp } from '#platform';
import { hasBrowser, launchBrowser, type TestBrowser, waitFor } from '#testing';
import { startShop } from '../../apps/sandbox/people/shop/shop-app.js';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { atBank, CARDS, payWith } from './support/payer.js';
import { TinyOrchestrator } from './support/tiny-orchestrator.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const API_KEY = 'key_of_the_shop_only';

inBrowser('the demo shop', () => {
  let sandbox: Harness;
  let orchestrator: TinyOrchestrator;
  let shop: HttpApp;
  let browser: TestBrowser;

  beforeAll(async () => {
    [sandbox, browser] = await Promise.all([startHarness(), launchBrowser()]);
    orchestrator = new TinyOrchestrator(sandbox);
    const config = {
      host: '127.0.0.1',
      port: 0,
      apiUrl: await orchestrator.start(),
      apiKey: API_KEY,
      merchantId: 'merchant-7',
      paymentPageOrigin: sandbox.url,
    };
    shop = await startShop(config, createLogger('shop', { level: 'silent' }));
  });
  afterAll(async () => {
    await browser.close();
    await shop.close();
    await orchestrator.stop();
    await sandbox.stop();
  });

  const shownEvents = (page: Page): Promise<string[]> =>
    page.locator('.event .event-type').allInnerTexts();

  const buy = async (): Promise<Page> => {
    const page = await browser.page();
    await page.goto(shop.url);
    await page.locator('[data-buy=linden-honey]').click();
    await page.waitForURL('**/orders/ord_*');
    return page;
  };

  test('the shop places one order even if the payer presses the button several times', async () => {
    const page = await browser.page();
    await page.goto(shop.url);
    const before = orchestrator.calls.length;
    await page.evaluate(`for (let n = 0; n < 2; n += 1) {
      const button = document.querySelector('[data-buy=garden-tea]');
      button.click(); button.disabled = false;
    }`);
    // Every response opens the same order, so it does not matter which response arrives first.
    await waitFor(() => /\/orders\/ord_/.test(page.url()));
    const placed = orchestrator.calls.slice(before).filter(({ method }) => method === 'POST');
    expect(new Set(placed.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(placed[0]).toMatchObject({
      path: '/v1/orders',
      authorization: `Bearer ${API_KEY}`,
      body: {
        merchantId: 'merchant-7',
        amountMinor: 890,
        currency: 'eur',
        methods: ['card'],
        capture: { policy: 'automatic' },
      },
    });
  });

  test('the shop shows the order’s events live while the payer pays in the frame', async () => {
    const page = await buy();
    const framed = page.frameLocator('.payment-frame');
    await waitFor(async () => (await shownEvents(page)).length === 2);
    expect(await shownEvents(page)).toEqual(['OrderPlaced', 'IntentCreated']);
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'approve');
    await page.locator('#outcome[data-tone=good]').waitFor();
    expect(await page.locator('#outcome-title').innerText()).toContain('paid');
    expect(await shownEvents(page)).toEqual([
      'OrderPlaced',
      'IntentCreated',
      'PaymentAuthorized',
      'OrderPaid',
    ]);
    expect(orchestrator.calls.find(({ path }) => path.endsWith('/refresh'))).toMatchObject({
      method: 'POST',
      body: { pageCompleted: true },
    });
  });

  test('shop, order and events are in French for a browser that prefers French', async () => {
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await page.goto(`${shop.url}/orders/unknown`);
    await page.getByRole('heading', { name: 'Commande introuvable' }).waitFor();
    await page.goto(shop.url);
    await page.getByRole('button', { name: 'Acheter Miel de tilleul' }).click();
    await page.waitForURL('**/orders/ord_*');
    await page.getByText('Suivi de votre commande').waitFor();
    await page.getByRole('heading', { name: 'Commande passée' }).waitFor();
    const [english, french] = await page.evaluate<readonly (readonly string[])[]>(
      `Promise.all([import('/assets/story.js'), import('/assets/story-fr.js')])
        .then(([{ STORY }, { FRENCH }]) => [Object.keys(STORY), Object.keys(FRENCH)])`,
    );
    expect(french).toEqual(english);
  });

  test('every page of the shop passes axe', async () => {
    const page = await browser.page();
    const wrong: string[] = [];
    const check = async (state: string): Promise<void> => {
      wrong.push(...(await violationsInBoth(page)).map((one) => `${state}, ${one}`));
    };
    await page.goto(shop.url);
    await check('shelf');
    await buy();
    const framed = page.frameLocator('.payment-frame');
    await framed.locator('#pay:enabled').waitFor();
    await check('order');
    await payWith(framed, CARDS.plain);
    await page.locator('#outcome[data-tone=good]').waitFor();
    await check('paid');
    await page.goto(`${shop.url}/orders/unknown`);
    await check('unknown order');
    expect(wrong).toEqual([]);
  });

  test('the shop shows the page of the order’s new payment after the merchant canceled the first payment', async () => {
    const page = await buy();
    await page.frameLocator('.payment-frame').locator('#pay:enabled').waitFor();
    await orchestrator.replacePayment();
    await waitFor(async () => (await shownEvents(page)).length === 3);
    await payWith(page.frameLocator('.payment-frame'), CARDS.plain);
    await page.locator('#outcome[data-tone=good]').waitFor();
    expect(await page.locator('.payment-frame').count()).toBe(1);
  });

  test('the shop resumes a broken event stream where the stream stopped, and shows no event twice', async () => {
    const page = await buy();
    await waitFor(async () => (await shownEvents(page)).length === 2);
    orchestrator.cutStreams();
    const framed = page.frameLocator('.payment-frame');
    await payWith(framed, CARDS.plain);
    await waitFor(async () => (await shownEvents(page)).includes('OrderPaid'));
    expect(await shownEvents(page)).toHaveLength(4);
  });

  test('the shop ignores a `finished` message from a window other than the payment frame', async () => {
    const page = await buy();
    await page.locator('.payment-frame').waitFor();
    const before = orchestrator.calls.length;
    await page.evaluate(`window.postMessage({ status: 'finished', url: null }, '*')`);
    await page.waitForTimeout(300);
    const paths = orchestrator.calls.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => path.endsWith('/refresh'))).toEqual([]);
  });

  test('the browser never receives the API key, and sends requests only to the shop’s origin', async () => {
    const page = await browser.page();
    const asked = new Set<string>();
    page.on('request', (request) => {
      if (request.frame() === page.mainFrame()) asked.add(new URL(request.url()).origin);
    });
    await page.goto(shop.url);
    await page.locator('[data-buy=sunday-box]').click();
    await page.locator('.payment-frame').waitFor();
    asked.delete('null');
    expect([...asked]).toEqual([shop.url]);
    expect(await page.content()).not.toContain(API_KEY);
  });

  test('a payer who pays outside the frame returns to the order in the shop', async () => {
    const page = await buy();
    const orderUrl = page.url();
    const frameUrl = await page.locator('.payment-frame').getAttribute('src');
    await page.goto(String(frameUrl));
    await payWith(page, CARDS.plain);
    await page.waitForURL(orderUrl);
  });
});
