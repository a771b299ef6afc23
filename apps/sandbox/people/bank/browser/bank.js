/**
 * The bank's page. In a frame it waits for the `welcome` message of the payment page, which has the
 * same origin, and reports the payer's decision to the payment page. Outside a frame it redirects
 * the payer back to the merchant.
 */
const BACK_AFTER_MS = 1_800;

const byId = (id) => document.getElementById(id);
const { session, isOver, returnUrl, texts } = JSON.parse(byId('bank-data').textContent);
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

const post = async (path, body) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
};

const isWebAddress = (address) =>
  URL.canParse(address ?? '') && /^https?:$/.test(new URL(address).protocol);

/**
 * Outside a frame, the bank's page itself sends the confirmation that the payment page otherwise
 * sends, and then redirects the payer.
 */
const leadBack = async ({ next, intentId }) => {
  if (isFramed) return;
  if (next === 'confirm') await post(`/pay/${encodeURIComponent(intentId)}/confirm`, {});
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
    byId('actions').hidden = true;
    await leadBack(answer);
    notifyPage({ type: 'result', ...outcome });
  } catch (error) {
    console.error('the decision could not be sent to the bank', error);
    say(texts.failed);
    enable(true);
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
  say(texts.waiting);
  notifyPage({ type: 'ready', height: height() });
  new ResizeObserver(() => notifyPage({ type: 'size', height: height() })).observe(byId('bank'));
} else {
  enable(true);
}
