import {
  brandOf,
  cvcProblem,
  digitsOf,
  digitsProblem,
  expiryOf,
  expiryProblem,
  groupExpiry,
  groupNumber,
  nameProblem,
  numberProblem,
  testBrandOf,
} from './card-rules.js';

const FIELDS = ['number', 'expiry', 'cvc', 'name'];

const byId = (id) => document.getElementById(id);

/** Reformats the input and keeps the caret behind the same digit. */
const reformat = (input, format) => {
  const caretDigits = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
  const atEnd = input.selectionStart === input.value.length;
  const text = format(input.value);
  if (text === input.value) return;
  input.value = text;
  if (atEnd) return;
  let caret = 0;
  for (let digits = 0; caret < text.length && digits < caretDigits; caret += 1) {
    if (/\d/.test(text[caret])) digits += 1;
  }
  input.setSelectionRange(caret, caret);
};

/** The card form: groups digits, detects the brand, and shows errors beside the fields. */
export class CardForm {
  #texts;
  #testCards;
  #inputs = Object.fromEntries(FIELDS.map((id) => [id, byId(id)]));
  #form = byId('card-form');
  #pay = byId('pay');
  #isPressed = false;
  #checkLater = new Set();

  constructor(texts, testCards) {
    this.#texts = texts;
    this.#testCards = testCards;
    const { number, expiry, cvc } = this.#inputs;
    number.addEventListener('input', () => this.#onNumber());
    expiry.addEventListener('input', () => reformat(expiry, groupExpiry));
    cvc.addEventListener('input', () => reformat(cvc, digitsOf));
    for (const id of FIELDS) {
      // Digits in the name field are reported while the payer types, all other errors when the
      // field loses focus.
      this.#inputs[id].addEventListener('input', () =>
        this.#mark(id, id === 'name' ? digitsProblem(this.#inputs.name.value) : null),
      );
      this.#inputs[id].addEventListener('blur', () => this.#onBlur(id));
    }
    document.addEventListener('pointerdown', () => {
      this.#isPressed = true;
    });
    for (const end of ['pointerup', 'pointercancel']) {
      document.addEventListener(end, () => setTimeout(() => this.#onRelease()));
    }
    this.#takeOver();
  }

  /** Calls `handle` with the card when all fields are valid, one submission at a time. */
  onSubmit(handle, onInvalid) {
    this.#form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (this.isBusy) return;
      const wrong = FIELDS.filter((id) => this.#check(id));
      if (wrong.length > 0) {
        this.#inputs[wrong[0]].focus();
        onInvalid();
        return;
      }
      await handle(this.#card());
    });
    this.#pay.disabled = false;
  }

  get isBusy() {
    return this.#pay.getAttribute('aria-disabled') === 'true';
  }

  set isBusy(busy) {
    this.#pay.setAttribute('aria-disabled', String(busy));
    this.#form.setAttribute('aria-busy', String(busy));
    for (const id of FIELDS) this.#inputs[id].readOnly = busy;
  }

  fill({ number, expiry, cvc, name }) {
    const { number: numberInput, name: nameInput } = this.#inputs;
    numberInput.value = groupNumber(digitsOf(number));
    this.#inputs.expiry.value = expiry;
    this.#inputs.cvc.value = cvc;
    if (nameInput.value === '') nameInput.value = name;
    for (const id of FIELDS) this.#mark(id, null);
    this.#showBrand();
    this.#pay.focus();
  }

  /** Clears the card data but keeps the payer's name for the next attempt. */
  forget() {
    for (const id of ['number', 'expiry', 'cvc']) {
      this.#inputs[id].value = '';
      this.#mark(id, null);
    }
    this.#showBrand();
  }

  focusNumber() {
    this.#inputs.number.focus();
  }

  /** Shows the server's error for a field that passed the checks in the browser. */
  reject(id, textKey) {
    this.#mark(id, textKey);
    this.#inputs[id].focus();
  }

  /** Formats the input that was typed or autofilled before this script was loaded. */
  #takeOver() {
    this.#onNumber();
    reformat(this.#inputs.expiry, groupExpiry);
    reformat(this.#inputs.cvc, digitsOf);
  }

  #card() {
    const { number, expiry, cvc, name } = this.#inputs;
    const { month, year } = expiryOf(expiry.value);
    return {
      number: digitsOf(number.value),
      expMonth: month,
      expYear: year,
      cvc: cvc.value,
      name: name.value.trim(),
    };
  }

  /**
   * A complete number does not move the focus: a payer who then presses Tab, as in any form, would
   * skip the expiry date and enter the security code as the name.
   */
  #onNumber() {
    const { number, cvc } = this.#inputs;
    reformat(number, (text) => groupNumber(digitsOf(text)));
    this.#showBrand();
    cvc.maxLength = brandOf(digitsOf(number.value)).cvcDigits;
  }

  #showBrand() {
    const digits = digitsOf(this.#inputs.number.value);
    byId('brands').dataset.brand = testBrandOf(digits, this.#testCards) ?? brandOf(digits).name;
  }

  /**
   * An empty field is reported on submission only. No error is shown while a button is pressed,
   * because the error would shift the button away from the pointer, and the click would be lost.
   */
  #onBlur(id) {
    if (this.#inputs[id].value === '') return;
    if (this.#isPressed) this.#checkLater.add(id);
    else this.#check(id);
  }

  #onRelease() {
    this.#isPressed = false;
    for (const id of this.#checkLater) this.#onBlur(id);
    this.#checkLater.clear();
  }

  #check(id) {
    const { number, expiry, cvc, name } = this.#inputs;
    const problems = {
      number: () => numberProblem(digitsOf(number.value)),
      expiry: () => expiryProblem(expiry.value, new Date()),
      cvc: () => cvcProblem(cvc.value, digitsOf(number.value)),
      name: () => nameProblem(name.value),
    };
    const problem = problems[id]();
    this.#mark(id, problem);
    return problem !== null;
  }

  #mark(id, textKey) {
    const digits = brandOf(digitsOf(this.#inputs.number.value)).cvcDigits;
    const text = textKey === null ? '' : this.#texts[textKey].replace('{digits}', digits);
    byId(`${id}-error`).textContent = text;
    byId(`${id}-field`).classList.toggle('is-wrong', textKey !== null);
    this.#inputs[id].setAttribute('aria-invalid', String(textKey !== null));
  }
}
