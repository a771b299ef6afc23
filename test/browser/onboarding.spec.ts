import { hasBrowser, launchBrowser, type TestBrowser, waitFor } from '#testing';
import { CARDS } from '../../tools/stack/payer.js';
import { sellerDetails, sendPapers, signInBrowser } from '../../tools/stack/seller.js';
import { readTopics } from '../../tools/stack/topics.js';
import { type Entry, Flow } from '../support/flow.js';

/**
 * The onboarding of a merchant, from the draft to the first order, on real processes and servers.
 */

const inBrowser = hasBrowser() ? describe : describe.skip;

interface MerchantView {
  readonly id: string;
  readonly status: string;
  readonly companyId: string | null;
  readonly orders: { readonly enabled: boolean; readonly reason: string | null };
  readonly missing: { readonly items: readonly string[] } | null;
  readonly statusChanges: readonly { readonly status: string; readonly source: string }[];
  readonly documents: readonly unknown[];
  readonly accounts: readonly { readonly mode: string }[];
}

inBrowser('the onboarding of a merchant in the browser', () => {
  let flow: Flow;
  let browser: TestBrowser;
  let id: string;

  beforeAll(async () => {
    [flow, browser] = await Promise.all([Flow.start(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await flow.stop();
  });

  const api = () => ({ url: flow.stack.apis[0]?.url ?? '', key: flow.stack.apiKey });
  const read = async (): Promise<MerchantView> =>
    (await flow.platform.surely('GET', `/v1/merchants/${id}`)).body as unknown as MerchantView;
  const becomes = (what: string, isSo: (merchant: MerchantView) => boolean) =>
    waitFor(
      async () => {
        const merchant = await read();
        if (isSo(merchant)) return merchant;
        throw new Error(`the merchant is not ${what}: ${JSON.stringify(merchant)}`);
      },
      { timeoutMs: 30_000, everyMs: 100 },
    );
  const order = (reference: string) =>
    flow.platform.surely('POST', '/v1/orders', {
      merchantId: id,
      reference,
      amountMinor: 4_250,
      currency: 'eur',
      capture: { policy: 'automatic' },
    });

  test('orders for a registered merchant are rejected before the contract is signed', async () => {
    const { status, body } = await flow.platform.surely('POST', '/v1/merchants', {
      reference: 'seller-1',
      mode: 'test',
      details: sellerDetails(),
    });
    expect([status, body['status']]).toEqual([201, 'requested']);
    id = String(body['id']);
    await becomes('registered', ({ companyId }) => companyId !== null);
    expect(await order('too-early')).toMatchObject({
      status: 409,
      body: { code: 'merchant_not_enabled', detail: expect.stringContaining('subscription link') },
    });
  });

  test('after the merchant’s documents were uploaded through the api, only the signature is missing', async () => {
    const { url, key } = api();
    expect(await sendPapers(url, key, id)).toBe(3);
    const { missing } = await becomes(
      'complete',
      (merchant) => merchant.documents.length === 4 && merchant.missing?.items.length === 1,
    );
    expect(missing?.items).toEqual(['signature']);
  });

  test('orders for a merchant who has signed the contract are rejected while the provider reviews the file', async () => {
    const { companyId } = await read();
    const { body } = await flow.platform.surely('POST', `/v1/merchants/${id}/subscription-link`);
    const page = await browser.context.newPage();
    await signInBrowser(page, String(body['link']), companyId ?? '');
    await page.close();
    await flow.platform.surely('POST', `/v1/merchants/${id}/refresh`);
    expect(await read()).toMatchObject({ status: 'in_review' });
    expect(await order('still-too-early')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('being reviewed') },
    });
  });

  test('two days after the signature the merchant is available, and an order for the merchant is paid', async () => {
    await flow.stack.sandbox.advance('P2D');
    // The worker polls the status history once a day; a refresh reads the status immediately.
    await flow.platform.surely('POST', `/v1/merchants/${id}/refresh`);
    const merchant = await becomes('open', ({ orders }) => orders.enabled);
    expect(merchant.accounts.map(({ mode }) => mode)).toContain('test');
    expect(merchant.statusChanges.map(({ status }) => status)).toEqual([
      'incomplete',
      'in_review',
      'validated',
      'available',
    ]);
    const { status, body } = await order('in-time');
    expect(status).toBe(201);
    const orderId = String(body['id']);
    const { payer, paymentId } = await flow.page(orderId);
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(paymentId);
    await flow.orderIs(orderId, 'paid');
  });

  test('the REST API and the topic of merchants contain the same events, without personal names', async () => {
    const { body } = await flow.platform.surely('GET', `/v1/merchants/${id}/timeline`);
    const timeline = body['items'] as readonly Entry[];
    const types = timeline.map(({ type }) => type);
    expect(types[0]).toBe('MerchantDrafted');
    expect(types).toEqual(
      expect.arrayContaining([
        'RegistrationRequested',
        'CompanyRegistered',
        'SubscriptionLinkAvailable',
        'DocumentsUploaded',
        'CompanyKeysRequested',
        'AccountAttached',
        'MerchantEnabled',
      ]),
    );
    const published = (await readTopics(flow.stack))
      .filter(({ event }) => event.streamId === id)
      .map(({ event }) => [event.version, event.type]);
    expect(published).toEqual(timeline.map(({ version, type }) => [version, type]));
    for (const secret of ['Camille', 'Martin', 'example.test', 'FR76', '/subscription/']) {
      expect(JSON.stringify(timeline)).not.toContain(secret);
    }
  });
});
