import { isFramed, sitesAbove } from './parent-window.js';

/**
 * The bank's page in a frame of the payment page. The two pages exchange messages addressed to each
 * other's exact origin: the bank's page sends `ready`, receives `welcome`, and then sends its
 * height and the payer's decision.
 */
const RESULTS = new Set(['approved', 'refused', 'left', 'over']);
const READY_WITHIN_MS = 20_000;

const addressOf = (session) => {
  const address = new URL(`/bank/${encodeURIComponent(session)}`, location.origin);
  // The bank's page allows only the payment page to frame it. Browsers also check the sites that
  // frame the payment page, so their origins are passed to the bank.
  if (isFramed) address.searchParams.set('above', sitesAbove().join(' ') || '*');
  return address.href;
};

const frameFor = (session, title) => {
  const frame = document.createElement('iframe');
  frame.className = 'bank-frame';
  frame.title = title;
  frame.src = addressOf(session);
  return frame;
};

/**
 * Shows the bank in `slot` and calls `onReady` when its page is loaded. Resolves with the payer's
 * decision (`{ result, message, ... }`), or with `unreachable` if the page does not load.
 */
export const visitBank = (slot, session, title, onReady) =>
  new Promise((resolve) => {
    const frame = frameFor(session, title);
    const end = (visit) => {
      clearTimeout(patience);
      window.removeEventListener('message', hear);
      frame.remove();
      resolve(visit);
    };
    const resize = (height) => {
      frame.style.height = `${Math.min(Math.max(Number(height) || 0, 320), 900)}px`;
    };
    const welcome = (height) => {
      clearTimeout(patience);
      resize(height);
      frame.contentWindow.postMessage({ type: 'welcome', session }, location.origin);
      onReady();
    };
    const hear = ({ origin, source, data }) => {
      if (origin !== location.origin || source !== frame.contentWindow) return;
      if (data?.session !== session) return;
      if (data.type === 'ready') welcome(data.height);
      if (data.type === 'size') resize(data.height);
      if (data.type === 'result' && RESULTS.has(data.result)) end(data);
    };
    const patience = setTimeout(() => end({ result: 'unreachable' }), READY_WITHIN_MS);
    window.addEventListener('message', hear);
    slot.replaceChildren(frame);
  });
