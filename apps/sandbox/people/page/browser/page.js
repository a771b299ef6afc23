import { visitBank } from './bank-frame.js';
import { CardForm } from './card-form.js';
import { Methods } from './methods.js';
import { takeNewAmount } from './new-amount.js';
import { PageAlert } from './page-alert.js';
import { pageApi } from './page-api.js';
import { isFramed, parentWindow } from './parent-window.js';
import { keptDocumentPath } from './kept-document.js';
import { SepaFlow } from './sepa-flow.js';
import { offerTestValues } from './test-values.js';

const BACK_AFTER_MS = 2_500;
const SETTLING_POLL_MS = 1_500;
const SETTLING_POLLS = 20;

/**
 * The result shown for each final status, the same as the server renders when the page is loaded.
 */
const ENDINGS = {
  authorized: 'done',
  to_capture: 'done',
  capture_sent: 'done',
  captured: 'done',
  processing: 'processing',
  canceled: 'canceled',
  unpaid: 'unpaid',
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
  #alert;
  #parent;
  #methods = null;
  #form = null;
  #sepa = null;
  #visited = null;
  #stopFollowing = () => {};

  constructor(data) {
    this.#data = data;
    this.#texts = data.texts;
    this.#api = pageApi(data.intentId, data.shown);
    this.#alert = new PageAlert(data.texts, (session) => this.#returnToBank(session));
    this.#parent = parentWindow(data.returnUrl);
    if (byId('form-panel')) this.#methods = new Methods(data.method);
    if (byId('card-form')) this.#form = new CardForm(data.texts, data.testCards);
    if (byId('sepa-form')) this.#sepa = new SepaFlow(this, this.#api, data.texts);
  }

  async start() {
    const { status, ending, authSession, hasLeftBank, signing, lastRefusal } = this.#data;
    this.#report('init');
    this.#form?.onSubmit(
      (card) => this.#pay(card),
      () => this.say(this.#texts.fixFields),
    );
    offerTestValues(this.#data, this.#form, this.#sepa);
    const { refusedTitle, changedTitle, changed } = this.#texts;
    if (takeNewAmount() && ending === null) {
      this.#alert.show({ title: changedTitle, text: changed });
    } else if (lastRefusal) this.#alert.show({ title: refusedTitle, ...lastRefusal });
    if (document.readyState !== 'complete') {
      await new Promise((resume) => window.addEventListener('load', resume, { once: true }));
    }
    document.documentElement.dataset.ready = 'yes';
    this.#report('loaded');
    this.#stopFollowing = this.#parent.followHeight(() => this.#data.status);
    if (ending !== null) this.finish(ending);
    else if (status === 'authorized') await this.#confirm();
    else if (authSession !== null) await this.#resume(authSession, hasLeftBank);
    else if (signing !== null) this.#sepa?.awaitCode(signing);
    else if (status === 'require_authorization') await this.#awaitAnswer();
  }

  #report(message, url) {
    this.#parent.report(message, this.#data.status, url);
  }

  async #pay(card) {
    this.#form.isBusy = true;
    this.hideAlert();
    this.say(this.#texts.paying);
    try {
      await this.#follow(await this.#api.submitCard(card));
    } catch (error) {
      console.error('the payment could not be sent', error);
      await this.recover();
    } finally {
      this.#form.isBusy = false;
    }
  }

  async #follow(outcome) {
    if (outcome.error) return this.#onRejected(outcome);
    if (outcome.next === 'secure_auth') return this.#goToBank(outcome.authSessionId);
    if (outcome.next === 'confirm') return this.#confirm();
    return this.refuse('refusedTitle', outcome.message, outcome.code);
  }

  async #goToBank(session) {
    this.#data.status = 'require_authentication';
    this.#visited = session;
    this.#form?.forget();
    this.show('bank-panel');
    this.say(this.#texts.bankWaiting);
    byId('bank-title').focus();
    const onReady = () => this.#report('secure-auth-start');
    const visit = await visitBank(byId('bank-slot'), session, this.#texts.bankFrame, onReady);
    if (visit.result === 'unreachable') return this.refuse('failedTitle', this.#texts.failed);
    this.show('wait-panel');
    this.#report('secure-auth-end');
    if (visit.result === 'approved') return this.#confirm();
    if (visit.result === 'left') return this.#offerAgain(this.#leftAlert(session));
    if (visit.result === 'over') return this.recover('expiredTitle', this.#texts.expired);
    return visit.declined
      ? this.refuse('declinedTitle', this.#texts.declined)
      : this.refuse('refusedTitle', visit.message, visit.code);
  }

  /** The bank's session stays open: the payer may return to it, or pay again. */
  #leftAlert(bankSession) {
    return { title: this.#texts.leftTitle, text: this.#texts.left, bankSession };
  }

  async #resume(session, hasLeftBank) {
    if (hasLeftBank) this.#alert.show(this.#leftAlert(session));
    else await this.#goToBank(session);
  }

  #returnToBank(session) {
    if (!this.#form?.isBusy && !this.#sepa?.isBusy) this.#goToBank(session);
  }

  /**
   * Sends the browser's confirmation. Called whenever the payment is authorized, because an earlier
   * confirmation may have been lost; a repeated confirmation changes nothing.
   */
  async #confirm() {
    this.#form?.forget();
    this.show('wait-panel');
    this.say(this.#texts.confirming);
    try {
      await this.#onState(await this.#api.confirm());
    } catch (error) {
      console.error('the confirmation did not reach the payment service', error);
      await this.#afterLostConfirmation();
    }
  }

  /**
   * After a lost response, reads the payment to determine whether the confirmation arrived. Without
   * automatic capture a confirmed payment stays `authorized`.
   */
  async #afterLostConfirmation() {
    const state = await this.#api.state().catch(() => ({ status: 'authorized' }));
    if (state.status !== 'authorized' || state.isConfirmed) return this.#onState(state);
    return this.refuse('failedTitle', this.#texts.unconfirmed);
  }

  /** Shows why the server rejected a request. */
  #onRejected({ error, field }) {
    if (error === 'too_many_tries') {
      return this.refuse('tooManyTitle', this.#texts.tooMany);
    }
    if (error === 'invalid_card') {
      const [id, textKey] = FIELD_PROBLEMS[field] ?? [];
      if (id === undefined) return this.refuse('failedTitle', this.#texts.rejected);
      this.#form.reject(id, textKey);
      return this.say(this.#texts[textKey]);
    }
    return this.recover();
  }

  /** Reads the status of the payment after a response was lost or late. */
  async recover(titleKey = 'failedTitle', text = this.#texts.failed) {
    try {
      const state = await this.#api.state();
      if (state.status === 'require_authorization') return await this.#awaitAnswer();
      if (state.status === 'authorized') return await this.#confirm();
      const isOtherSession = state.authSession && state.authSession !== this.#visited;
      if (isOtherSession) return await this.#goToBank(state.authSession);
      if (state.signing && this.#sepa) return this.#sepa.awaitCode(state.signing);
      return this.#onState(state, titleKey, text);
    } catch (error) {
      console.error('the payment service cannot be reached', error);
      return this.refuse('failedTitle', this.#texts.failed);
    }
  }

  async #awaitAnswer() {
    this.show('wait-panel');
    for (let poll = 0; poll < SETTLING_POLLS; poll += 1) {
      const state = await this.#api.state();
      if (state.status === 'authorized') return this.#confirm();
      if (state.status !== 'require_authorization') return this.#onState(state);
      await pause(SETTLING_POLL_MS);
    }
    return this.refuse('failedTitle', this.#texts.failed);
  }

  async #onState({ status }, titleKey = 'failedTitle', text = this.#texts.failed) {
    this.#data.status = status;
    const ending = ENDINGS[status];
    if (ending) this.finish(ending);
    else await this.refuse(titleKey, text);
  }

  async refuse(titleKey, text, code) {
    await this.#offerAgain({ title: this.#texts[titleKey], text, code });
  }

  /** Shows the empty form again, with a message. */
  async #offerAgain(alert) {
    this.show('form-panel');
    this.#form?.forget();
    this.#sepa?.forget();
    this.#alert.show(alert);
    if (!this.#alert.focusReturn()) this.#focusForm();
    await this.#learnStatus();
    this.#report('error');
  }

  #focusForm() {
    if (this.#methods?.chosen === 'sepa') this.#sepa?.focusFirst();
    else this.#form?.focusNumber();
  }

  /**
   * Reads the payment's status for the message to the framing page; keeps the last known status on
   * an error.
   */
  async #learnStatus() {
    try {
      this.#data.status = (await this.#api.state()).status;
    } catch (error) {
      console.warn('the payment service does not return the payment status', error);
    }
  }

  /** Shows the result of the payment, and the link to the document of a signed mandate. */
  finish(ending) {
    const documentPath = ending === 'processing' ? keptDocumentPath() : null;
    const panel = byId('ending-panel');
    panel.dataset.ending = ending;
    byId('ending-title').textContent = this.#texts[`${ending}Title`];
    byId('ending-text').textContent = this.#texts[ending];
    byId('amount-label').textContent = this.#texts[ending === 'done' ? 'amountPaid' : 'amount'];
    const link = byId('mandate-link');
    link.hidden = documentPath === null;
    if (documentPath !== null) link.href = documentPath;
    this.show('ending-panel');
    // Removes the forms, so that the entered data is deleted when the payment ends.
    byId('form-panel')?.remove();
    byId('sign-panel')?.remove();
    byId('ending-title').focus();
    const succeeded = SUCCESSES.has(ending);
    if (ending === 'processing') this.#data.status = 'processing';
    this.#stopFollowing();
    this.#report('finished', succeeded ? null : undefined);
    // With a mandate to download there is no automatic redirect: the payer follows the link.
    if (succeeded && documentPath === null) this.#goBack();
  }

  #goBack() {
    const { returnUrl } = this.#data;
    if (isFramed || returnUrl === null) return;
    byId('going-back').hidden = false;
    setTimeout(() => location.replace(returnUrl), BACK_AFTER_MS);
  }

  show(panelId) {
    for (const panel of document.querySelectorAll('.panel')) panel.hidden = panel.id !== panelId;
  }

  hideAlert() {
    this.#alert.hide();
  }

  say(text) {
    byId('live').textContent = text;
  }
}

document.documentElement.dataset.framed = isFramed ? 'yes' : 'no';
const data = byId('page-data');
if (data !== null) await new PaymentPage(JSON.parse(data.textContent)).start();
