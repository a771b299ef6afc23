import type { Page } from 'playwright-core';
import { developmentCertificate, hasBrowser, launchBrowser, type TestBrowser } from '#testing';
import { type Harness, startHarness } from '../../apps/sandbox/testing/harness.js';
import { type Receiver, startReceiver } from '../../apps/sandbox/testing/receiver.js';
import { failPayout } from '../../tools/books/fail-payout.js';
import { violationsInBoth, violationsOn } from '../../tools/infra/axe.mjs';
import {
  CARDS,
  newPayment,
  type NewPayment,
  openPage,
  payWith,
  statusOf,
} from './support/payer.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const SCREENS = [
  [360, 740],
  [820, 1_180],
  [1_440, 900],
] as const;

inBrowser('the User Area of the sandbox', () => {
  let sandbox: Harness;
  let browser: TestBrowser;
  let receiver: Receiver;
  let endpoint: string;

  beforeAll(async () => {
    const certificate = developmentCertificate();
    receiver = await startReceiver(certificate);
    [sandbox, browser] = await Promise.all([
      startHarness({ webhookCaFile: certificate.caFile }),
      launchBrowser(),
    ]);
    const { body } = await sandbox.call('POST', '/v2/webhooks/', { url: receiver.url });
    endpoint = String(body['id']);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.stop();
    await receiver.close();
  });

  const open = async (path: string): Promise<Page> => {
    const url = `${sandbox.url}/user-area/${path}`;
    const { page, complaints } = await openPage(browser, url);
    expect(complaints).toEqual([]);
    return page;
  };
  const press = async (page: Page, name: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await page.locator('html[data-ready=yes]').waitFor();
  };
  const openPanel = (page: Page, name: string) =>
    page.locator('summary', { hasText: name }).click();
  const notice = (page: Page): Promise<string> => page.locator('.notice').innerText();
  const advance = async (by: string): Promise<void> => {
    await sandbox.call('POST', '/sandbox/clock', { advance: by });
  };

  /** The newest object of a list of the payment API. */
  const firstOf = async (list: string): Promise<Readonly<Record<string, string>>> => {
    const { body } = await sandbox.call('GET', `/v2/${list}?limit=1`);
    const [first] = body[list] as unknown as readonly Readonly<Record<string, string>>[];
    if (first === undefined) throw new Error(`the list ${list} is empty`);
    return first;
  };

  /** Creates a payment that is approved at the bank before the payer closes the browser. */
  const interrupted = async (more: object = {}): Promise<NewPayment> => {
    const payment = await newPayment(sandbox, more);
    const { pageFlow } = sandbox;
    const card = { number: CARDS.threeDSecure, expMonth: 12, expYear: 2090, cvc: '123' };
    const outcome = await pageFlow.submitCard(payment.id, card);
    const session = outcome.next === 'secure_auth' ? outcome.authSessionId : '';
    await pageFlow.authSession(session);
    await pageFlow.decide(session, 'approve');
    await advance('PT16M');
    expect(await statusOf(sandbox, payment)).toBe('authorized');
    return payment;
  };

  /** Creates a declined and a canceled payment, for the lists. */
  const oddPayments = async (): Promise<void> => {
    const card = { number: CARDS.insufficientFunds, expMonth: 12, expYear: 2090, cvc: '123' };
    await sandbox.pageFlow.submitCard((await newPayment(sandbox)).id, card);
    const held = await interrupted({ capture: false });
    await sandbox.call('DELETE', `/v2/payment_intents/${held.id}`);
    expect(await statusOf(sandbox, held)).toBe('canceled');
  };

  /** Opens a payment's page from the list, by the payment's reference. */
  const find = async (orderId: string): Promise<Page> => {
    const page = await open('test/payments');
    await page.getByLabel('Search', { exact: true }).fill(orderId);
    await press(page, 'Search');
    await page.locator('.row-link').click();
    await page.locator('html[data-ready=yes] .title').waitFor();
    return page;
  };

  test('a merchant captures an interrupted payment, refunds a part of the amount and sees the payout', async () => {
    const payment = await interrupted({ order_id: 'order-71' });
    const page = await find('order-71');
    expect(await page.locator('h1').innerText()).toMatch(/€42\.50\s+Interrupted/);
    await press(page, 'Capture €42.50');
    expect(await notice(page)).toContain('Capture requested');
    expect(await statusOf(sandbox, payment)).toBe('to_capture');

    await page.locator('.nav-link', { hasText: 'Clock' }).click();
    await press(page, 'To the next cut-off');
    expect(await notice(page)).toContain('Clock advanced');
    expect(await statusOf(sandbox, payment)).toBe('capture_sent');
    await press(page, 'To the next payout run');
    expect(await statusOf(sandbox, payment)).toBe('captured');

    const again = await find('order-71');
    await openPanel(again, 'Refund');
    await again.getByLabel('Amount (EUR)').fill('12,50');
    await press(again, 'Refund');
    expect(await notice(again)).toContain('Refund created');
    const intent = await sandbox.call('GET', `/v2/payment_intents/${payment.id}/refunds`);
    expect(intent.body).toMatchObject([{ amount: 1_250, status: 'to_refund' }]);

    await again.locator('.nav-link', { hasText: 'Payouts' }).click();
    await again.locator('.row-link').first().click();
    await again.locator('html[data-ready=yes] .figures').waitFor();
    // 42.50 minus the fee of 0.7 % plus 7 cents, and minus the VAT on the fee.
    expect(await again.locator('.figures .total').innerText()).toContain('€42.06');
    expect(await again.locator('.list tbody tr').innerText()).toMatch(/€42\.50[\s\S]*Payment/);
  });

  test('a dispute that is simulated in the User Area with a reason code makes the payment disputed', async () => {
    await newPayment(sandbox, { order_id: 'order-72' }).then(async ({ pageUrl }) => {
      const { page } = await openPage(browser, pageUrl);
      await payWith(page, CARDS.plain);
      await page.locator('#ending-panel').waitFor();
    });
    await advance('P2D');
    const page = await find('order-72');
    await openPanel(page, 'Open a dispute');
    await page.getByLabel('Reason').selectOption('4837');
    await press(page, 'Dispute the payment');
    expect(await page.locator('h1').innerText()).toContain('Disputed');
    expect(await page.locator('#balance').innerText()).toMatch(/Charged back\s+-€42\.50/);
    expect(await page.getByRole('region', { name: 'Disputes' }).innerText()).toMatch(
      /4837 Fraudulent.*the payer sees code 45/s,
    );
  });

  test('a merchant resends a webhook, which then contains the same event', async () => {
    await sandbox.call('POST', '/v2/customers', { email: 'c.martin@example.test' });
    receiver.answer = { status: 503 };
    await advance('PT16S');
    receiver.answer = { status: 200 };
    const failed = receiver.received.findLast(({ body }) => body.includes('customer.created'));
    const earlier = receiver.received.length;
    const page = await open(`test/webhooks/${endpoint}`);
    const delivery = page.locator('.delivery').first();
    expect(await delivery.innerText()).toMatch(/customer\.created[\s\S]*HTTP 503/);
    await delivery.getByRole('button', { name: 'Replay' }).click();
    await page.locator('html[data-ready=yes] .notice').waitFor();
    expect(await notice(page)).toContain('The event is being sent again');
    await advance('PT1S');
    // The retry of an earlier test's event may arrive after the replayed one.
    const later = receiver.received.slice(earlier).map(({ body }) => body);
    expect(later).toContain(failed?.body);
    await page.reload();
    expect(await page.locator('.delivery').first().innerText()).toMatch(/Replayed[\s\S]*HTTP 200/);
  });

  test('the User Area works with the keyboard alone', async () => {
    await interrupted({ order_id: 'order-74' });
    const page = await find('order-74');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    for (let tabs = 0; tabs < 4; tabs += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>('document.activeElement.innerText');
      if (focused.startsWith('Capture')) break;
    }
    await page.keyboard.press('Enter');
    await page.locator('.notice').waitFor();
    expect(await page.locator('h1').innerText()).toContain('To capture');
  });

  test('the User Area works even if its script does not load', async () => {
    const page = await browser.page();
    await page.route('**/area.js', (route) => route.abort());
    await page.goto(`${sandbox.url}/user-area/test/clock`);
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await page.locator('.notice').waitFor();
    expect(await notice(page)).toContain('Clock advanced');
  });

  test('every page passes axe and fits screens of 360 to 1440 pixels, in French too', async () => {
    const page = await browser.page();
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    const wrong: string[] = [];
    const check = async (state: string, violations = violationsOn): Promise<void> => {
      wrong.push(...(await violations(page)).map((one) => `${state}, ${one}`));
    };
    const { payment: disputed } = await firstOf('disputes');
    const { id: captured } = await firstOf('payments');
    const { id: intent } = await firstOf('payment_intents');
    const { id: payout = '' } = await firstOf('payouts');
    await oddPayments();
    await failPayout(sandbox.url, payout);
    for (const path of [
      'payments',
      `payments/${captured}`,
      `payments/${disputed}`,
      'intents',
      `intents/${intent}`,
      'payouts',
      `payouts/${payout}`,
      'webhooks',
      `webhooks/${endpoint}`,
      'events',
      `events/${(await firstOf('events')).id}`,
      'messages',
      'accounts',
      'clock',
      'faults',
    ]) {
      const answer = await page.goto(`${sandbox.url}/user-area/test/${path}`);
      expect([path, answer?.status()]).toEqual([path, 200]);
      expect(await page.locator('html').getAttribute('lang')).toBe('fr');
      await check(path, path.startsWith('payments') ? violationsInBoth : violationsOn);
      for (const [width, height] of SCREENS) {
        await page.setViewportSize({ width, height });
        const overflow = await page.evaluate<number>(
          'document.documentElement.scrollWidth - window.innerWidth',
        );
        expect([path, width, overflow <= 0]).toEqual([path, width, true]);
        for (const panel of await page.locator('.panel-action summary').all()) {
          await panel.click();
          const box = await page.locator('[open] .action-panel').boundingBox();
          const isInside = box !== null && box.x >= 0 && box.x + box.width <= width;
          expect([path, width, isInside]).toEqual([path, width, true]);
          if (width === 1_440) await check(`${path}, an open panel`);
          await panel.click();
        }
      }
    }
    for (const path of ['test/payments/paym_000000000000000000000000', 'sign-in']) {
      await page.goto(`${sandbox.url}/user-area/${path}`);
      await check(path);
    }
    expect(wrong).toEqual([]);
  });

  test('a merchant submits evidence with a file, and wins the dispute', async () => {
    const page = await find('order-72');
    await openPanel(page, 'Send evidence');
    await page.getByLabel('Arguments against the dispute').fill('It was delivered.');
    await page.getByLabel(/^Files/).setInputFiles({
      name: 'slip.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('signed'),
    });
    await press(page, /^Send$/);
    expect(await notice(page)).toContain('Evidence sent');
    await advance('P5D');
    const later = await find('order-72');
    await press(later, 'Set as won');
    expect(await notice(later)).toContain('returned in the next payout');
    expect(await later.getByRole('region', { name: 'Disputes' }).innerText()).toContain('Won');
  });
});
