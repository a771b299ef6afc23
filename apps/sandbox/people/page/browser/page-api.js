import { showNewAmount } from './new-amount.js';

/** The page's requests to its own server. Card and IBAN are in the body only, never in a URL. */

const call = async (path, init) => {
  const response = await fetch(path, { cache: 'no-store', credentials: 'same-origin', ...init });
  const answer = await response.json();
  return response.ok ? answer : { ...answer, error: answer.error ?? 'failed' };
};

const post = (path, body) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

/** Repeats a request after a network failure: only for requests that are safe to repeat. */
const persistently = async (attempt, waitsMs) => {
  for (const waitMs of waitsMs) {
    try {
      return await attempt();
    } catch (error) {
      console.warn('the payment service did not answer, trying again', error);
      await pause(waitMs);
    }
  }
  return attempt();
};

/** A 5xx response counts as a network failure. */
const done = (answer) => {
  if (answer.error) throw new Error(answer.error);
  return answer;
};

/** `shown`: the amount in the page's texts. Any other amount is shown before the payer goes on. */
export const pageApi = (intentId, shown) => {
  const base = `/pay/${encodeURIComponent(intentId)}`;
  const attempt = async (path, fields) => {
    const answer = await post(`${base}/${path}`, { ...fields, shown });
    return answer.error === 'changed' ? showNewAmount() : answer;
  };
  const current = (state) => {
    const { amount, currency } = done(state).due;
    return amount === shown.amount && currency === shown.currency ? state : showNewAmount();
  };
  return {
    submitCard: (card) => attempt('card', card),
    submitAccount: (account) => attempt('sepa', account),
    newCode: () => attempt('code', {}),
    sign: (code) => attempt('sign', { code }),
    confirm: () =>
      persistently(async () => current(await post(`${base}/confirm`, {})), [500, 1500, 4000]),
    state: () => persistently(async () => current(await call(`${base}/state`)), [500, 1500]),
  };
};
