import { CheckedForm } from './checked-form.js';
import { keepDocumentPath } from './kept-document.js';
import { accountNameProblem, groupIban, ibanProblem, phoneProblem } from './sepa-rules.js';

const byId = (id) => document.getElementById(id);

const FIELDS = { name: 'account-name', iban: 'iban', phone: 'phone' };
const FIELD_PROBLEMS = {
  'account-name': 'accountNameInvalid',
  iban: 'ibanInvalid',
  phone: 'phoneInvalid',
};
const CODE_PROBLEMS = { spent: 'codeSpent', expired: 'codeExpired' };

/** Reformats the input and keeps the caret behind the same character. */
const regroup = (input) => {
  const plain = (text) => text.replace(/[^A-Za-z0-9]/g, '').length;
  const before = plain(input.value.slice(0, input.selectionStart ?? 0));
  const text = groupIban(input.value);
  if (text === input.value) return;
  input.value = text;
  let caret = 0;
  for (let seen = 0; caret < text.length && seen < before; caret += 1) {
    if (text[caret] !== ' ') seen += 1;
  }
  input.setSelectionRange(caret, caret);
};

/** Payment by direct debit: the bank account, then the code that signs the mandate. */
export class SepaFlow {
  #page;
  #api;
  #texts;
  #account;
  #code;

  /** `page` shows panels, reports to the framing page and ends the payment: see `PaymentPage`. */
  constructor(page, api, texts) {
    this.#page = page;
    this.#api = api;
    this.#texts = texts;
    this.#account = new CheckedForm(
      'sepa-form',
      'get-code',
      {
        'account-name': accountNameProblem,
        iban: ibanProblem,
        phone: phoneProblem,
      },
      texts,
    );
    this.#code = new CheckedForm(
      'sign-form',
      'sign',
      {
        code: (text) => (/^\d{4}$/.test(text) ? null : 'codeInvalid'),
      },
      texts,
    );
    this.#listen();
  }

  get isBusy() {
    return this.#account.isBusy || this.#code.isBusy;
  }

  fill({ number }) {
    byId('account-name').value = byId('account-name').value || 'Camille Martin';
    byId('iban').value = number;
    // A French mobile number from the range that is reserved for fiction and never assigned.
    byId('phone').value = byId('phone').value || '+33 6 39 98 00 12';
    for (const id of this.#account.fields) this.#account.mark(id, '');
    byId('get-code').focus();
  }

  /**
   * Clears the bank account but keeps the payer's name and telephone number for the next attempt.
   */
  forget() {
    byId('iban').value = '';
    byId('code').value = '';
    this.#account.mark('iban', '');
    this.#code.mark('code', '');
  }

  focusFirst() {
    byId('iban').focus();
  }

  /** Shows the panel for the code that was sent. */
  awaitCode({ phoneLast4, ibanLast4, ibanCountry }) {
    byId('iban').value = '';
    byId('code').value = '';
    this.#code.mark('code', '');
    byId('sign-lead').textContent = this.#texts.signLead.replace('{phone}', phoneLast4);
    byId('sign-account').textContent = `${ibanCountry}•• •••• •••• ${ibanLast4}`;
    this.#page.show('sign-panel');
    this.#page.say(byId('sign-lead').textContent);
    byId('code').focus();
  }

  #listen() {
    const { say } = this.#page;
    const onInvalid = () => say(this.#texts.fixFields);
    byId('iban').addEventListener('input', () => regroup(byId('iban')));
    byId('iban').addEventListener('change', () => {
      if (byId('iban').value !== '') this.#account.check('iban');
    });
    byId('code').addEventListener('input', ({ target }) => {
      target.value = target.value.replace(/\D/g, '').slice(0, 4);
    });
    this.#account.onSubmit(() => this.#guarded(() => this.#submit()), onInvalid);
    this.#code.onSubmit(
      () => this.#guarded(() => this.#sign()),
      () => say(this.#texts.codeInvalid),
    );
    byId('new-code').addEventListener('click', () => this.#guarded(() => this.#newCode()));
    byId('other-account').addEventListener('click', () => {
      this.#page.show('form-panel');
      byId('iban').focus();
    });
  }

  async #guarded(work) {
    try {
      await work();
    } catch (error) {
      console.error('the payment service did not answer', error);
      await this.#page.recover();
    }
  }

  async #submit() {
    this.#page.hideAlert();
    this.#page.say(this.#texts.gettingCode);
    const answer = await this.#api.submitAccount({
      name: byId('account-name').value.trim(),
      iban: byId('iban').value,
      phone: byId('phone').value.trim(),
    });
    if (answer.error) return this.#onRejected(answer);
    keepDocumentPath(answer.documentPath);
    return this.awaitCode(answer);
  }

  async #sign() {
    this.#page.say(this.#texts.signing);
    const answer = await this.#api.sign(byId('code').value);
    if (answer.error) return this.#onRejected(answer);
    if (answer.result === 'signed') {
      keepDocumentPath(answer.documentPath);
      return this.#page.finish('processing');
    }
    if (answer.result === 'refused') {
      return this.#page.refuse('refusedTitle', answer.message, answer.code);
    }
    const text =
      answer.result === 'wrong'
        ? this.#texts.codeWrong.replace('{tries}', answer.triesLeft)
        : this.#texts[CODE_PROBLEMS[answer.result]];
    byId('code').value = '';
    this.#code.reject('code', text);
    return this.#page.say(text);
  }

  async #newCode() {
    if (this.isBusy) return;
    const answer = await this.#api.newCode();
    if (answer.error) {
      await this.#onRejected(answer);
      return;
    }
    this.awaitCode(answer);
    this.#page.say(this.#texts.newCodeSent);
  }

  /** Shows why the server rejected a request. */
  async #onRejected({ error, field }) {
    if (error === 'too_many_tries') {
      await this.#page.refuse('tooManyTitle', this.#texts.tooMany);
      return;
    }
    if (error === 'signing_over') {
      await this.#page.refuse('failedTitle', this.#texts.signingOver);
      return;
    }
    const id = FIELDS[field];
    if (error !== 'invalid_account' || id === undefined) {
      await this.#page.recover();
      return;
    }
    const text = this.#texts[FIELD_PROBLEMS[id]];
    this.#account.reject(id, text);
    this.#page.say(text);
  }
}
