import { visitBank } from './bank-frame.js';
import { CardForm } from './card-form.js';
import { pageApi } from './page-api.js';
import { isFramed, parentWindow } from './parent-window.js';

const BACK_AFTER_MS = 2_500;
const SETTLING_POLL_MS = 1_500;
const SETTLING_POLLS = 20;

/** The end that a status means, as the server tells it when the page is loaded anew. */
const ENDINGS = {
  authorized: 'done', to_capture: 'done', capture_sent: 'done', captured: 'done',
  processing: 'processing', canceled: 'canceled', unpaid: 'unpaid',
};
const SUCCESSES = new Set(['done', 'processing']);
const FIELD_PROBLEMS = {
  number: ['number', 'numberInvalid'],
  expMonth: ['expiry', 'expiryInvalid'],
  expYear: ['expiry', 'expiryPast'],
  cvc: ['cvc', 'cvcInvalid'],
  name: ['name', 'nameInvalid'],
};

const byId = (id) => document.getElementById(id);
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

class PaymentPage {
  #data;
  #texts;
  #api;
  #parent;
  #form = null;
  #visited = null;

  constructor(data) {
    this.#data = data;
    this.#texts = data.texts;
    this.#api = pageApi(data.intentId);
    this.#parent = parentWindow(data.returnUrl);
    if (byId('card-form')) this.#form = new CardForm(data.texts);
  }

  async start() {
    const { status, ending, authSession, lastRefusal } = this.#data;
    this.#tell('init');
    this.#form?.onSubmit((card) => this.#pay(card), () => this.#say(this.#texts.fixFields));
    this.#offerTestCards();
    if (lastRefusal) this.#showAlert({ title: this.#texts.refusedTitle, ...lastRefusal });
    if (document.readyState !== 'complete') {
      await new Promise((resume) => window.addEventListener('load', resume, { once: true }));
    }
    document.documentElement.dataset.ready = 'yes';
    this.#tell('loaded');
    if (ending !== null) this.#finish(ending);
    else if (authSession !== null) await this.#goToBank(authSession);
    else if (status === 'require_authorization') await this.#awaitAnswer();
  }

  #tell(message, url) {
    this.#parent.tell(message, this.#data.status, url);
  }

  async #pay(card) {
    this.#form.isBusy = true;
    this.#showAlert(null);
    this.#say(this.#texts.paying);
    try {
      await this.#follow(await this.#api.submitCard(card));
    } catch (error) {
      console.error('the payment could not be sent', error);
      await this.#recover();
    } finally {
      this.#form.isBusy = false;
    }
  }

  async #follow(outcome) {
    if (outcome.error) return this.#onRejected(outcome);
    if (outcome.next === 'secure_auth') return this.#goToBank(outcome.authSessionId);
    if (outcome.next === 'confirm') return this.#confirm();
    return this.#refuse('refusedTitle', outcome.message, outcome.code);
  }

  async #goToBank(session) {
    this.#data.status = 'require_authentication';
    this.#visited = session;
    this.#form?.forget();
    this.#show('bank-panel');
    this.#say(this.#texts.bankWaiting);
    byId('bank-title').focus();
    const onReady = () => this.#tell('secure-auth-start');
    const visit = await visitBank(byId('bank-slot'), session, this.#texts.bankFrame, onReady);
    if (visit.result === 'unreachable') return this.#refuse('failedTitle', this.#texts.failed);
    this.#show('wait-panel');
    this.#tell('secure-auth-end');
    if (visit.result === 'approved') return this.#confirm();
    if (visit.result === 'left') return this.#refuse('leftTitle', this.#texts.left);
    if (visit.result === 'over') return this.#recover('expiredTitle', this.#texts.expired);
    return visit.declined
      ? this.#refuse('declinedTitle', this.#texts.declined)
      : this.#refuse('refusedTitle', visit.message, visit.code);
  }

  async #confirm() {
    this.#form?.forget();
    this.#show('wait-panel');
    this.#say(this.#texts.confirming);
    try {
      this.#onState(await this.#api.confirm());
    } catch (error) {
      console.error('the confirmation did not reach the payment service', error);
      await this.#recover();
    }
  }

  /** The server's word on a call that it refused. */
  #onRejected({ error, field }) {
    if (error === 'too_many_tries') {
      return this.#refuse('tooManyTitle', this.#texts.tooMany);
    }
    if (error === 'invalid_card') {
      const [id, textKey] = FIELD_PROBLEMS[field] ?? [];
      if (id === undefined) return this.#refuse('failedTitle', this.#texts.rejected);
      this.#form.reject(id, textKey);
      return this.#say(this.#texts[textKey]);
    }
    return this.#recover();
  }

  /** Asks where the payment stands when an answer was lost or came too late. */
  async #recover(titleKey = 'failedTitle', text = this.#texts.failed) {
    try {
      const state = await this.#api.state();
      if (state.status === 'require_authorization') return await this.#awaitAnswer();
      const isOtherSession = state.authSession && state.authSession !== this.#visited;
      if (isOtherSession) return await this.#goToBank(state.authSession);
      return this.#onState(state, titleKey, text);
    } catch (error) {
      console.error('the payment service cannot be reached', error);
      return this.#refuse('failedTitle', this.#texts.failed);
    }
  }

  async #awaitAnswer() {
    this.#show('wait-panel');
    for (let poll = 0; poll < SETTLING_POLLS; poll += 1) {
      const state = await this.#api.state();
      if (state.status !== 'require_authorization') return this.#onState(state);
      await pause(SETTLING_POLL_MS);
    }
    return this.#refuse('failedTitle', this.#texts.failed);
  }

  #onState({ status }, titleKey = 'failedTitle', text = this.#texts.failed) {
    this.#data.status = status ?? this.#data.status;
    const ending = ENDINGS[this.#data.status];
    if (ending) this.#finish(ending);
    else this.#refuse(titleKey, text);
  }

  #refuse(titleKey, text, code) {
    this.#data.status = 'require_payment_method';
    const title = this.#texts[titleKey];
    this.#show('form-panel');
    this.#form?.forget();
    this.#showAlert({ title, text, code });
    this.#form?.focusNumber();
    this.#tell('error');
  }

  #finish(ending) {
    const panel = byId('ending-panel');
    panel.dataset.ending = ending;
    byId('ending-title').textContent = this.#texts[`${ending}Title`];
    byId('ending-text').textContent = this.#texts[ending];
    byId('amount-label').textContent = this.#texts[ending === 'done' ? 'amountPaid' : 'amount'];
    this.#show('ending-panel');
    // The form goes for good: what was typed does not outlive the payment.
    byId('form-panel')?.remove();
    byId('ending-title').focus();
    const succeeded = SUCCESSES.has(ending);
    this.#tell('finished', succeeded ? null : undefined);
    if (succeeded) this.#goBack();
  }

  #goBack() {
    const { returnUrl } = this.#data;
    if (isFramed || returnUrl === null) return;
    byId('going-back').hidden = false;
    setTimeout(() => location.replace(returnUrl), BACK_AFTER_MS);
  }

  #show(panelId) {
    for (const panel of document.querySelectorAll('.panel')) panel.hidden = panel.id !== panelId;
  }

  #showAlert(alert) {
    byId('alert').hidden = alert === null;
    byId('alert-title').textContent = alert?.title ?? '';
    const code = alert?.code ? ` (${this.#texts.codeLabel.replace('{code}', alert.code)})` : '';
    byId('alert-text').textContent = `${alert?.text ?? ''}${code}`;
  }

  #say(text) {
    byId('live').textContent = text;
  }

  #offerTestCards() {
    byId('test-cards')?.addEventListener('click', ({ target }) => {
      const button = target.closest('[data-test-card]');
      if (!button || this.#form.isBusy) return;
      const { number } = this.#data.testCards[Number(button.dataset.testCard)];
      const year = String((new Date().getFullYear() + 3) % 100).padStart(2, '0');
      this.#form.fill({ number, expiry: `12 / ${year}`, cvc: '123', name: 'Camille Martin' });
    });
  }
}

document.documentElement.dataset.framed = isFramed ? 'yes' : 'no';
const data = byId('page-data');
if (data !== null) await new PaymentPage(JSON.parse(data.textContent)).start();
