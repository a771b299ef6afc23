/**
 * The bank's page. In a frame it waits for the `welcome` message of the payment page, which has the
 * same origin, and reports the payer's decision to the payment page. Outside a frame it redirects
 * the payer back to the merchant.
 */
const BACK_AFTER_MS = 1_800;
/** The confirmation is sent again after these times, as by the payment page. */
const CONFIRM_AGAIN_AFTER_MS = [500, 1_500, 4_000];

const byId = (id) => document.getElementById(id);
const { session, isOver, approvedIntent, returnUrl, texts } = JSON.parse(
  byId('bank-data').textContent,
);
const isFramed = window.parent !== window;
const buttons = [...document.querySelectorAll('[data-decision]')];

const notifyPage = (message) => {
  if (isFramed) window.parent.postMessage({ ...message, session }, location.origin);
};

const say = (text) => {
  const message = byId('message');
  if (message) message.textContent = text;
};

const enable = (enabled) => {
  for (const button of buttons) button.disabled = !enabled;
};

const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

/** Throws when the service does not answer, or answers that it has failed. */
const post = async (path, body) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status >= 500) throw new Error(`${path} responded with ${response.status}`);
  return response.json();
};

/** A repeated confirmation changes nothing. */
const confirm = async (intentId) => {
  const path = `/pay/${encodeURIComponent(intentId)}/confirm`;
  for (const waitMs of CONFIRM_AGAIN_AFTER_MS) {
    try {
      return await post(path, {});
    } catch (error) {
      console.warn('the confirmation did not reach the payment service, trying again', error);
      await pause(waitMs);
    }
  }
  return post(path, {});
};

const isWebAddress = (address) =>
  URL.canParse(address ?? '') && /^https?:$/.test(new URL(address).protocol);

/**
 * Outside a frame, the bank's page itself sends the confirmation that the payment page otherwise
 * sends, and then redirects the payer.
 */
const leadBack = async ({ next, intentId }) => {
  if (isFramed) return;
  if (next === 'confirm') await confirm(intentId);
  if (isWebAddress(returnUrl)) setTimeout(() => location.replace(returnUrl), BACK_AFTER_MS);
};

const resultOf = (decision, answer) => {
  if (answer.error) return { result: 'over' };
  if (answer.next === 'confirm') return { result: 'approved' };
  if (answer.next === 'left') return { result: 'left' };
  const { code, message } = answer;
  return { result: 'refused', declined: decision === 'refuse', code, message };
};

const decide = async (decision) => {
  enable(false);
  say(texts.sending);
  try {
    const answer = await post(`/bank/${encodeURIComponent(session)}/decision`, { decision });
    const outcome = resultOf(decision, answer);
    say(texts[outcome.result]);
    await leadBack(answer);
    byId('actions').hidden = true;
    notifyPage({ type: 'result', ...outcome });
  } catch (error) {
    console.error('the decision or the confirmation could not be sent', error);
    say(texts.failed);
    enable(true);
  }
};

/** Sends the confirmation again, because it may have been lost before the page was loaded again. */
const leadBackAfterReload = async () => {
  try {
    await leadBack({
      next: approvedIntent === null ? 'over' : 'confirm',
      intentId: approvedIntent,
    });
  } catch (error) {
    console.error('the confirmation could not be sent', error);
    say(texts.failed);
  }
};

for (const button of buttons) {
  button.addEventListener('click', () => decide(button.dataset.decision));
}

window.addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== window.parent) return;
  if (data?.type !== 'welcome' || data.session !== session) return;
  if (isOver) notifyPage({ type: 'result', result: 'over' });
  else {
    say('');
    enable(true);
  }
});

const height = () => Math.ceil(byId('bank').getBoundingClientRect().height);

if (isFramed) {
  if (!isOver) say(texts.waiting);
  notifyPage({ type: 'ready', height: height() });
  new ResizeObserver(() => notifyPage({ type: 'size', height: height() })).observe(byId('bank'));
} else if (isOver) {
  await leadBackAfterReload();
} else {
  enable(true);
}
