const METHODS = ['card', 'sepa'];

const byId = (id) => document.getElementById(id);

/** The choice of the payment method, as tabs; arrow keys move between them. */
export class Methods {
  #chosen;

  constructor(chosen) {
    this.#chosen = chosen;
    const tabs = METHODS.map((method) => byId(`tab-${method}`)).filter((tab) => tab !== null);
    for (const tab of tabs) {
      tab.addEventListener('click', () => this.choose(tab.dataset.method));
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
        this.choose(next.dataset.method);
        next.focus();
      });
    }
    if (tabs.length > 0) this.choose(chosen);
  }

  get chosen() {
    return this.#chosen;
  }

  choose(method) {
    this.#chosen = method;
    for (const each of METHODS) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute('aria-selected', String(each === method));
      tab.tabIndex = each === method ? 0 : -1;
      byId(`${each}-method`).hidden = each !== method;
    }
  }
}
