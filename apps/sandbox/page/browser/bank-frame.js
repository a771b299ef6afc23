import { isFramed, sitesAbove } from './parent-window.js';

/**
 * The bank's page in a frame of this one. The two speak by messages, each to the other's exact
 * origin: the bank says `ready`, is answered `welcome`, and says what the payer did.
 */
const RESULTS = new Set(['approved', 'refused', 'left', 'over']);

const addressOf = (session) => {
  const address = new URL(`/bank/${encodeURIComponent(session)}`, location.origin);
  // The bank lets itself be framed by this page only, yet browsers check every site above it.
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

/** Shows the bank in `slot`; resolves with `{ result, message, ... }` once the payer is done. */
export const visitBank = (slot, session, title) =>
  new Promise((resolve) => {
    const frame = frameFor(session, title);
    const hear = ({ origin, source, data }) => {
      if (origin !== location.origin || source !== frame.contentWindow) return;
      if (data?.session !== session) return;
      if (data.type === 'ready') {
        frame.style.height = `${Math.min(Math.max(Number(data.height) || 0, 320), 900)}px`;
        source.postMessage({ type: 'welcome', session }, location.origin);
      }
      if (data.type === 'result' && RESULTS.has(data.result)) {
        window.removeEventListener('message', hear);
        frame.remove();
        resolve(data);
      }
    };
    window.addEventListener('message', hear);
    slot.replaceChildren(frame);
  });
