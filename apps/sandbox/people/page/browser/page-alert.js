const byId = (id) => document.getElementById(id);

/** The message above the form: why the payment was not made, and how the payer can go on. */
export class PageAlert {
  #texts;
  #bankSession = null;

  /** `returnToBank` is called with the bank's session when the payer chooses to return to it. */
  constructor(texts, returnToBank) {
    this.#texts = texts;
    byId('return-to-bank')?.addEventListener('click', () => returnToBank(this.#bankSession));
  }

  /** Shows `{ title, text, code, bankSession }`, of which the last two are optional. */
  show({ title, text, code, bankSession = null }) {
    const codeText = code ? ` (${this.#texts.codeLabel.replace('{code}', code)})` : '';
    this.#bankSession = bankSession;
    byId('alert-title').textContent = title;
    byId('alert-text').textContent = `${text}${codeText}`;
    byId('return-to-bank').hidden = bankSession === null;
    byId('alert').dataset.tone = bankSession === null ? 'bad' : 'warn';
    byId('alert').hidden = false;
  }

  hide() {
    byId('alert').hidden = true;
  }

  /** Moves the focus to the button that returns to the bank; false when it is not shown. */
  focusReturn() {
    if (this.#bankSession === null) return false;
    byId('return-to-bank').focus();
    return true;
  }
}
