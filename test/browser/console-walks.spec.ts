import type { Page } from 'playwright-core';
import { hasBrowser, waitFor } from '#testing';
import { violationsInBoth } from '../../tools/infra/axe.mjs';
import { CARDS, Payer } from '../../tools/stack/payer.js';
import { resolveStuckRefunds } from '../../tools/stack/stuck-refunds.js';
import { sellerDetails, sendPapers, signOverHttp } from '../../tools/stack/seller.js';
import { Flow } from '../support/flow.js';
import { Desk, type Person } from './support/desk.js';
import { amount, approvalOf, begins, type Language, TEXTS, whole } from './support/labels.js';

/**
 * Operators do frequent tasks in the console of the whole product. Each task has a maximum number of
 * clicks. If a task needs two people, one of them uses the console in English and the other in
 * French.
 */

const LANGUAGES = ['en', 'fr'] as const;
const REFUND = 'POST /v2/payment_intents/{pi_id}/refund';
const CAPTURE = 'POST /v2/payment_intents/{pi_id}/capture';
const WAIT = { timeoutMs: 30_000, everyMs: 100 };
/** The time limit of a test. It is longer than usual, because several people act in turn. */
const TIMEOUT_MS = 240_000;

const REASON = 'sold at the counter, invoice R-1';

/** The amount in EUR of a payment that was made without an order of ours. */
const DIRECT = '64.00';

const REFUND_REASON = 'the provider shows no refund';

/** The amount in EUR of the refund whose request is lost. */
const LOST = '5.00';
const LOST_MINOR = 500;

const OUTAGE_REASON = 'the provider is available again';

/** The number of payments in an outage, and how many of their orders are placed concurrently. */
const OUTAGE = 50;
const AT_ONCE = 10;

(hasBrowser() ? describe : describe.skip)('an operator at the console', () => {
  let flow: Flow;
  let desk: Desk;
  let paymentId: string;
  let merchantId: string;

  /**
   * Makes a payment at the provider without an order of ours, so that its payout line is unknown to
   * us.
   */
  const payDirectly = async (euros: string): Promise<void> => {
    const intent = await flow.stack.sandbox.api('POST', '/v2/payment_intents/', {
      amount: Math.round(Number(euros) * 100),
      currency: 'eur',
      methods_allowed: 'card',
    });
    await new Payer(String(intent['url'])).pay(CARDS.plain);
  };

  const readMerchant = async () =>
    (await flow.platform.surely('GET', `/v1/merchants/${merchantId}`)).body;

  /** Onboards a merchant except for the signature. */
  const unsignedMerchant = async (): Promise<void> => {
    const { body } = await flow.platform.surely('POST', '/v1/merchants', {
      reference: 'atelier',
      mode: 'test',
      details: sellerDetails(),
    });
    merchantId = String(body['id']);
    await waitFor(async () => (await readMerchant())['companyId'] ?? null, WAIT);
    await sendPapers(flow.stack.apis[0]?.url ?? '', flow.stack.apiKey, merchantId);
    await waitFor(async () => {
      const { missing } = (await readMerchant()) as { missing?: { items: readonly string[] } };
      return missing?.items.join() === 'signature';
    }, WAIT);
  };

  /** Signs the contract as the merchant, at the link that the platform gets from the api. */
  const signs = async (): Promise<void> => {
    const path = `/v1/merchants/${merchantId}`;
    const { companyId } = await readMerchant();
    const { body } = await flow.platform.surely('POST', `${path}/subscription-link`);
    await signOverHttp(String(body['link']), String(companyId));
    await flow.platform.surely('POST', `${path}/refresh`);
  };

  beforeAll(async () => {
    flow = await Flow.start({ console: true });
    desk = await Desk.open(flow);
    const { id } = await flow.place();
    const { payer, paymentId: paid } = await flow.page(id);
    paymentId = paid;
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(paid);
    await Promise.all([flow.orderIs(id, 'paid'), payDirectly(DIRECT)]);
    await unsignedMerchant();
    await flow.stack.sandbox.advance('P2D');
    await waitFor(async () => {
      const { rowCount } = await desk.pool.query('SELECT FROM reconciliation_exceptions');
      return rowCount === 1;
    }, WAIT);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await desk.close();
    await flow.stop();
  });

  const link = (page: Page, name: RegExp) => page.getByRole('link', { name });
  const button = (page: Page, name: RegExp) => page.getByRole('button', { name });

  test.each(LANGUAGES)(
    'finds a payment by its amount and the last four digits of its card in two clicks, in %s',
    async (language) => {
      const one = await desk.operator(language);
      const { page } = one;
      await one.click(page.getByText(TEXTS.search[language]));
      const query = `42.50 ${CARDS.plain.slice(-4)}`;
      await page
        .getByPlaceholder(TEXTS.search[language])
        .fill(language === 'fr' ? query.replace('.', ',') : query);
      await one.click(page.getByRole('option', { name: new RegExp(paymentId) }));
      await page.waitForURL(`**/payments/${paymentId}`);
      const main = page.locator('#main');
      await main.getByText(amount('42.50')).first().waitFor();
      await main
        .getByText(new RegExp(CARDS.plain.slice(-4)))
        .first()
        .waitFor();
      expect(one.clicks).toBeLessThanOrEqual(2);
    },
    TIMEOUT_MS,
  );

  /** Fills the open action dialog, previews the action, and requests the approval of another user. */
  const requestApproval = async (one: Person, reason: string): Promise<void> => {
    const { page, language } = one;
    await page.getByRole('dialog').getByLabel(TEXTS.reason[language]).fill(reason);
    await one.click(button(page, whole('runPreview', language)));
    await one.click(button(page, whole('requestApproval', language)));
    await page.getByText(begins('needsSecond', language)).first().waitFor();
  };

  /**
   * Requests the closing of a reconciliation break on the page of its case; returns the page's
   * path.
   */
  const requestClose = async (one: Person): Promise<string> => {
    const { page, language } = one;
    await one.click(link(page, whole('cases', language)));
    const row = page.getByRole('row', { name: amount(DIRECT) });
    await one.click(row.getByRole('link', { name: whole('break', language) }));
    const evidence = page.getByRole('region', { name: whole('evidence', language) });
    await evidence.getByText(TEXTS.noEntry[language]).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await one.click(button(page, begins('closeBreak', language)));
    await requestApproval(one, REASON);
    return new URL(page.url()).pathname;
  };

  test(
    'closes a reconciliation break with a reason, which a second person approves, in ten clicks',
    async () => {
      const first = await desk.operator('en');
      const path = await requestClose(first);
      const second = await desk.operator('fr');
      const { page, language } = second;
      await second.click(link(page, whole('cases', language)));
      const row = page.getByRole('row', { name: amount(DIRECT) });
      await second.click(row.getByRole('link', { name: whole('break', language) }));
      await second.click(button(page, approvalOf('closeBreak', language)));
      await second.click(button(page, whole('approveAndRun', language)));
      await page.getByText(TEXTS.isDone[language]).waitFor();
      await second.click(
        page.getByRole('dialog').getByRole('button', { name: TEXTS.close[language] }),
      );
      expect(new URL(page.url()).pathname).toBe(path);
      await page.getByText(begins('caseIsClosed', language)).waitFor();
      const evidence = page.getByRole('region', { name: whole('evidence', language) });
      await evidence.getByText(REASON).waitFor();
      const history = page.getByRole('list').filter({ hasText: REASON });
      await history.getByText(new RegExp(TEXTS.closeBreak[language])).first().waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      expect(first.clicks + second.clicks).toBeLessThanOrEqual(10);
    },
    TIMEOUT_MS,
  );

  /** Opens the page of the merchant, whose checklist shows that the signature is missing. */
  const findsStuck = async (language: Language): Promise<Person> => {
    const one = await desk.operator(language);
    const { page } = one;
    await one.click(link(page, whole('merchants', language)));
    await one.click(link(page, /atelier/));
    const registration = page.getByRole('region', { name: whole('registration', language) });
    const step = registration.getByRole('listitem').filter({ hasText: TEXTS.signed[language] });
    await step.getByText(TEXTS.isMissing[language]).waitFor();
    await step.getByText(/subscription-link$/).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    return one;
  };

  test(
    'follows a merchant whose signature is missing until the merchant is available, in two clicks, in both languages',
    async () => {
      const people: Person[] = [];
      for (const language of LANGUAGES) people.push(await findsStuck(language));
      await signs();
      await flow.stack.sandbox.advance('P2D');
      await flow.platform.surely('POST', `/v1/merchants/${merchantId}/refresh`);
      for (const { page, language, clicks } of people) {
        const registration = page.getByRole('region', { name: whole('registration', language) });
        await registration
          .getByRole('listitem')
          .filter({ hasText: new RegExp(TEXTS.openForOrders[language].replace(' ', '\\s*')) })
          .waitFor();
        await registration.getByText(TEXTS.available[language]).waitFor();
        expect(clicks).toBeLessThanOrEqual(2);
      }
    },
    TIMEOUT_MS,
  );

  /** The refunds of a payment that the provider has. */
  const refundsAtProvider = async (refunded: string) => {
    const [intent] = await flow.intents(refunded);
    const path = `/v2/payment_intents/${intent?.id}/refunds`;
    const refunds = await flow.stack.sandbox.api('GET', path);
    return refunds as unknown as readonly { readonly amount: number; readonly status: string }[];
  };

  /**
   * Pays an order and requests its refund, by a request that the provider never receives; returns
   * the payment.
   */
  const lostRefund = async (): Promise<string> => {
    const { id } = await flow.place();
    const { payer, paymentId: refunded } = await flow.page(id);
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(refunded);
    await flow.stack.sandbox.advance('P2D');
    await flow.paymentIs(id, 'captured');
    await flow.stack.sandbox.addFault({ route: REFUND, kind: 'drop_before', count: 1 });
    await flow.platform.refund(id, { amountMinor: LOST_MINOR });
    await waitFor(() => flow.haveAllFaultsHit(), WAIT);
    // Ends the reads of the provider, which would go on for a week.
    await waitFor(async () => {
      const { rowCount } = await desk.pool.query(
        `UPDATE jobs SET state = 'stuck'
          WHERE kind = 'refund' AND subject_id = $1 AND state = 'waiting'`,
        [refunded],
      );
      return rowCount === 1;
    }, WAIT);
    expect(await resolveStuckRefunds(flow.stack)).toBe(1);
    expect(await refundsAtProvider(refunded)).toEqual([]);
    return refunded;
  };

  test(
    'finds and understands a lost refund, and has it paid to the payer, in eight clicks',
    async () => {
      const refunded = await lostRefund();
      const rowOn = (page: Page) => page.getByRole('row', { name: amount(LOST) });
      const first = await desk.operator('fr');
      const { page, language } = first;
      await first.click(link(page, whole('cases', language)));
      await rowOn(page).getByText(whole('notMade', language)).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await first.click(rowOn(page).getByRole('link', { name: whole('unpaidRefund', language) }));
      await page.getByText(begins('refundMeans', language)).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await first.click(button(page, begins('reissue', language)));
      await requestApproval(first, REFUND_REASON);

      const second = await desk.operator('en');
      await second.click(link(second.page, whole('cases', second.language)));
      await second.click(
        rowOn(second.page).getByRole('button', { name: approvalOf('reissue', second.language) }),
      );
      await second.click(button(second.page, whole('approveAndRun', second.language)));
      await second.page.getByRole('dialog').getByRole('status').waitFor();
      expect(first.clicks + second.clicks).toBe(8);

      await waitFor(async () => {
        const refunds = await refundsAtProvider(refunded);
        expect(refunds).toMatchObject([{ amount: LOST_MINOR, status: 'to_refund' }]);
        return true;
      }, WAIT);
      await second.page.keyboard.press('Escape');
      const status = new RegExp(
        `${TEXTS.reissued[second.language]}|${TEXTS.accepted[second.language]}`,
      );
      await rowOn(second.page).getByText(status).waitFor();
      await flow.stack.sandbox.advance('P2D');
      expect(await refundsAtProvider(refunded)).toMatchObject([{ status: 'refunded' }]);
      await rowOn(second.page).waitFor({ state: 'detached' });
    },
    TIMEOUT_MS,
  );

  /** Places an order under manual capture whose payment is authorized. */
  const authorized = async () => {
    const { id } = await flow.place({ amountMinor: 1_250, capture: { policy: 'manual' } });
    const { payer, paymentId: held } = await flow.page(id);
    await payer.pay(CARDS.plain);
    await flow.platform.pageCompleted(held);
    await flow.orderIs(id, 'authorized');
    return { id, held };
  };

  /**
   * Requests captures while the provider resets every connection; returns their payments. The
   * provider has captured none of them.
   */
  const outage = async (): Promise<readonly string[]> => {
    const orders: { readonly id: string; readonly held: string }[] = [];
    while (orders.length < OUTAGE) {
      orders.push(...(await Promise.all(Array.from({ length: AT_ONCE }, authorized))));
    }
    const payments = orders.map(({ held }) => held);
    await flow.stack.sandbox.addFault({
      route: CAPTURE,
      kind: 'reset',
      chance: { rate: 1, seed: 'outage' },
    });
    for (const { id } of orders) await flow.platform.capture(id);
    // Ends the retries, which would go on for a day, as if all had failed for the same reason.
    await waitFor(async () => {
      const { rowCount } = await desk.pool.query(
        `UPDATE jobs SET state = 'stuck', note = failed.note
           FROM (SELECT note FROM jobs
                  WHERE kind = 'capture' AND subject_id = ANY ($1) AND note IS NOT NULL LIMIT 1) failed
          WHERE kind = 'capture' AND subject_id = ANY ($1) AND state <> 'running'
            AND $2 = (SELECT count(*) FROM jobs
                       WHERE kind = 'capture' AND subject_id = ANY ($1) AND state <> 'running')`,
        [payments, OUTAGE],
      );
      return rowCount === OUTAGE;
    }, WAIT);
    await flow.stack.sandbox.clearFaults();
    expect(await statusesAtProvider(payments)).toEqual({ authorized: OUTAGE });
    return payments;
  };

  /** How many intents of these payments have each status at the provider. */
  const statusesAtProvider = async (
    payments: readonly string[],
  ): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {};
    for (const one of payments) {
      for (const { status } of await flow.intents(one)) counts[status] = (counts[status] ?? 0) + 1;
    }
    return counts;
  };

  test(
    'repairs an outage of 50 payments by one request and one approval, after which the provider captures every payment, in eight clicks',
    async () => {
      const payments = await outage();
      const first = await desk.operator('en');
      const { page, language } = first;
      await first.click(link(page, whole('cases', language)));
      await first.click(button(page, begins('outage', language)));
      await page.getByRole('table', { name: TEXTS.ofIncident[language] }).waitFor();
      expect(await violationsInBoth(page)).toEqual([]);
      await first.click(button(page, begins('retryAll', language)));
      await requestApproval(first, OUTAGE_REASON);

      const second = await desk.operator('fr');
      await second.click(link(second.page, whole('cases', second.language)));
      await second.click(button(second.page, approvalOf('retryAll', second.language)));
      const dialog = second.page.getByRole('dialog');
      await dialog.getByText(begins('readForAll', second.language)).waitFor();
      await dialog.getByText(amount('625.00')).first().waitFor();
      await second.click(button(second.page, whole('approveAndRun', second.language)));
      await dialog.getByRole('status').waitFor();
      expect(first.clicks + second.clicks).toBe(8);
      await waitFor(async () => {
        expect(await statusesAtProvider(payments)).toEqual({ to_capture: OUTAGE });
        return true;
      }, WAIT);
      await second.page.keyboard.press('Escape');
      await button(second.page, begins('outage', second.language)).waitFor({ state: 'detached' });
    },
    TIMEOUT_MS,
  );
});
