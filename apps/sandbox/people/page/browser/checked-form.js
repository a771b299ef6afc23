const byId = (id) => document.getElementById(id);

/**
 * A form that shows errors beside its fields. `problems` returns, for each field id, a message key
 * or null. An empty field is reported on submission only.
 */
export class CheckedForm {
  #form;
  #button;
  #problems;
  #inputs;
  #texts;

  constructor(formId, buttonId, problems, texts) {
    this.#form = byId(formId);
    this.#button = byId(buttonId);
    this.#problems = problems;
    this.#inputs = Object.fromEntries(this.fields.map((id) => [id, byId(id)]));
    this.#texts = texts;
    for (const id of this.fields) {
      this.#inputs[id].addEventListener('input', () => this.mark(id, ''));
    }
  }

  get fields() {
    return Object.keys(this.#problems);
  }

  get isBusy() {
    return this.#button.getAttribute('aria-disabled') === 'true';
  }

  set isBusy(busy) {
    this.#button.setAttribute('aria-disabled', String(busy));
    this.#form.setAttribute('aria-busy', String(busy));
    // The form may have been removed meanwhile, if the payment has ended.
    for (const input of Object.values(this.#inputs)) input.readOnly = busy;
  }

  /** Calls `handle` when all fields are valid, one submission at a time. */
  onSubmit(handle, onInvalid) {
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (this.isBusy) return;
      const wrong = this.fields.filter((id) => this.check(id));
      if (wrong.length > 0) {
        this.#inputs[wrong[0]].focus();
        onInvalid();
        return;
      }
      this.isBusy = true;
      try {
        await handle();
      } finally {
        this.isBusy = false;
      }
    });
    this.#button.disabled = false;
  }

  /** Whether the field is invalid; shows its error. */
  check(id) {
    const key = this.#problems[id](this.#inputs[id].value);
    this.mark(id, key === null ? '' : this.#texts[key]);
    return key !== null;
  }

  /** Shows the error of a field; an empty text clears the error. */
  mark(id, text) {
    byId(`${id}-error`).textContent = text;
    byId(`${id}-field`).classList.toggle('is-wrong', text !== '');
    this.#inputs[id].setAttribute('aria-invalid', String(text !== ''));
  }

  /** Shows the server's error for a field that passed the checks in the browser. */
  reject(id, text) {
    this.mark(id, text);
    this.#inputs[id].focus();
    this.#inputs[id].select();
  }
}
