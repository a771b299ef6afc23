import { hasBrowser, launchBrowser, type TestBrowser, waitFor } from '#testing';
import { followEvents } from '../../tools/demo/event-stream.js';
import { CARDS } from '../../tools/stack/payer.js';
import { readTopics } from '../../tools/stack/topics.js';
import { atBank, payWith } from '../browser/support/payer.js';
import { type Entry, Flow } from '../support/flow.js';

/**
 * An order is paid in a real browser in the demo shop's payment frame. REST, the event stream and
 * the topics then show the same history.
 */

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('an order paid in the demo shop', () => {
  let flow: Flow;
  let browser: TestBrowser;
  let orderId: string;
  const streamed: Entry[] = [];
  const ending = new AbortController();

  beforeAll(async () => {
    [flow, browser] = await Promise.all([Flow.start(), launchBrowser()]);
  });
  afterAll(async () => {
    ending.abort();
    await browser.close();
    await flow.stop();
  });

  const ofStream = (type: string): boolean => streamed.some((entry) => entry.type === type);

  test('a payer pays an order in the iframe with 3-D Secure, and the order is captured the next day', async () => {
    const page = await browser.context.newPage();
    await page.goto(flow.stack.shopUrl);
    await page.locator('[data-buy=linden-honey]').click();
    await page.waitForURL('**/orders/ord_*');
    orderId = page.url().split('/').at(-1) ?? '';
    const { apis, apiKey, sandbox } = flow.stack;
    void followEvents(
      `${apis[0]?.url}/v1/orders/${orderId}/events`,
      { authorization: `Bearer ${apiKey}` },
      (entry) => streamed.push(entry as Entry),
      ending.signal,
    );
    const framed = page.frameLocator('.payment-frame');
    await payWith(framed, CARDS.threeDSecure);
    await atBank(framed, 'approve');
    await page.locator('#outcome[data-tone=good]').waitFor();
    await flow.orderIs(orderId, 'paid');
    await sandbox.advance('P2D');
    await flow.paymentIs(orderId, 'captured');
    await waitFor(() => ofStream('PaymentCaptured'), { timeoutMs: 10_000 });
    await page.close();
  });

  test('the order has the same events in the REST API, in the event stream and on the topics', async () => {
    const timeline = await flow.timeline(orderId);
    expect(timeline.map(({ type }) => type)).toEqual([
      'OrderPlaced',
      'OrderPaymentStarted',
      'IntentRequested',
      'IntentCreated',
      'PaymentPageCompleted',
      'PaymentAuthorized',
      'OrderAuthorized',
      'CaptureRequested',
      'CaptureAccepted',
      'OrderPaid',
      'CaptureSent',
      'PaymentCaptured',
    ]);
    expect(streamed).toEqual(timeline);

    // Each event counts once, because a topic may contain an event several times.
    const published = new Map<string, Entry>();
    for (const { event } of await readTopics(flow.stack)) {
      const { at, ...data } = event.data;
      published.set(event.eventId, {
        id: event.eventId,
        type: event.type,
        subjectType: event.streamType,
        subjectId: event.streamId,
        version: event.version,
        at: String(at),
        actor: event.metadata.actor,
        data,
      });
    }
    const byPlace = (a: Entry, b: Entry): number =>
      a.subjectId.localeCompare(b.subjectId) || a.version - b.version;
    // Events are compared separately for each subject (order, payment, …), because topics keep only
    // the events of one subject in order. The timeline also contains the merchant and the next
    // morning's payout.
    const subjects = new Set(timeline.map(({ subjectId }) => subjectId));
    const ofOrder = [...published.values()].filter(({ subjectId }) => subjects.has(subjectId));
    expect(ofOrder.toSorted(byPlace)).toEqual(timeline.toSorted(byPlace));
  });
});
