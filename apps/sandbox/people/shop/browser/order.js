import { STORY, storyLine } from './story.js';

const AGAIN_AFTER_MS = 2_000;
const PAGE_POLL_MS = 700;

const byId = (id) => document.getElementById(id);
const { orderId, pageOrigin, text } = JSON.parse(byId('shop-data').textContent);
const base = `/orders/${encodeURIComponent(orderId)}`;
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

/** The text shown for each status in which the payer has nothing more to do. */
const OUTCOMES = {
  paid: {
    title: text.paid,
    detail: text.paidText,
    tone: 'good',
  },
  canceled: { title: text.canceled, detail: text.nothingDebited, tone: 'bad' },
  expired: { title: text.expired, detail: text.paidTooLate, tone: 'bad' },
  failed: { title: text.failed, detail: text.nothingDebited, tone: 'bad' },
};

let frame = null;
let isPageCompleted = false;

const ask = async (path, init) => {
  const response = await fetch(`${base}/${path}`, { cache: 'no-store', ...init });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
};

const showOutcome = ({ title, detail, tone }) => {
  const outcome = byId('outcome');
  if (byId('outcome-title').textContent === title) return;
  outcome.hidden = false;
  outcome.dataset.tone = tone;
  byId('outcome-title').textContent = title;
  byId('outcome-text').textContent = detail;
  outcome.scrollIntoView({ block: 'nearest' });
};

const hideOutcome = () => {
  byId('outcome').hidden = true;
  byId('outcome-title').textContent = '';
};

/** Shows the payment's page. A new payment of the order has another page, which replaces it. */
const openPage = (pageUrl) => {
  if (frame?.getAttribute('src') === pageUrl || new URL(pageUrl).origin !== pageOrigin) return;
  frame?.remove();
  isPageCompleted = false;
  hideOutcome();
  frame = document.createElement('iframe');
  frame.className = 'payment-frame';
  frame.title = text.paymentPage;
  frame.src = pageUrl;
  byId('frame-wait').hidden = true;
  byId('frame-slot').append(frame);
};

const closePage = () => {
  byId('frame-slot').hidden = true;
  byId('again').hidden = false;
};

/** Updates the page from the order; returns whether no further change is expected. */
const follow = async () => {
  const { status, pageUrl } = await ask('state');
  const outcome = OUTCOMES[status];
  if (outcome) {
    showOutcome(outcome);
    closePage();
    return true;
  }
  if (pageUrl !== null) openPage(pageUrl);
  if (status === 'authorized' || (isPageCompleted && status === 'open')) {
    showOutcome({ title: text.almost, detail: text.almostText, tone: 'wait' });
  }
  return false;
};

const followSafely = async () => {
  try {
    return await follow();
  } catch (error) {
    console.warn('the order could not be read', error);
    return false;
  }
};

let isStale = false;
let following = null;

/**
 * Events that arrive together, e.g. after a reconnect, cause only one or two reads of the order.
 */
const followSoon = () => {
  isStale = true;
  following ??= (async () => {
    while (isStale) {
      isStale = false;
      await followSafely();
    }
    following = null;
  })();
};

const onFinished = async ({ url }) => {
  if (url !== null) return;
  isPageCompleted = true;
  try {
    await ask('finished', { method: 'POST' });
  } catch (error) {
    // Not fatal: the provider's webhook also reports the result to the orchestrator, but later.
    console.warn('the completion of the payment page could not be sent', error);
  }
  followSoon();
};

window.addEventListener('message', ({ origin, source, data }) => {
  if (origin !== pageOrigin || frame === null || source !== frame.contentWindow) return;
  const height = Number(data?.height);
  if (height > 0) frame.style.height = `${Math.min(Math.max(height + 8, 480), 1_400)}px`;
  if (data?.status === 'secure-auth-start') frame.scrollIntoView({ block: 'nearest' });
  if (data?.status === 'finished') void onFinished(data);
});

const showLive = (live) => {
  byId('live').dataset.live = live ? 'yes' : 'no';
  byId('live').firstElementChild.textContent = live ? text.live : text.reconnecting;
};

const shownIds = new Set();

const showEvent = ({ type, data, lastEventId }) => {
  if (lastEventId !== '' && shownIds.has(lastEventId)) return;
  shownIds.add(lastEventId);
  const line = storyLine(type, JSON.parse(data));
  byId('timeline').append(line);
  // Scrolls only the timeline, so that the payment form stays where it is.
  byId('timeline').scrollTop = byId('timeline').scrollHeight;
  followSoon();
};

/**
 * After a broken connection the browser reconnects by itself; after an error response it does not,
 * so this function reconnects.
 */
const listen = () => {
  const source = new EventSource(`${base}/events`);
  for (const type of Object.keys(STORY)) source.addEventListener(type, showEvent);
  source.addEventListener('open', () => showLive(true));
  source.addEventListener('error', () => {
    showLive(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_AFTER_MS);
  });
};

listen();
while (!(await followSafely()) && frame === null) await pause(PAGE_POLL_MS);
