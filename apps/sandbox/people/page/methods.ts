import type { Method } from '../../money/fees.js';
import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import type { Creditor } from '../../collection/mandates/creditor.js';
import { cardForm } from './card-form.js';
import type { PageTexts } from './page-texts.js';
import { sepaForm } from './sepa-form.js';
import type { TestCardHelp, TestHelp } from './test-helps.js';
import { testValuesList } from './test-values-list.js';

/** The test cards and test accounts that the page lists; empty for a live payment. */
export interface Helps {
  readonly card: readonly TestCardHelp[];
  readonly sepa: readonly TestHelp[];
}

const tab = (method: Method, label: string, isFirst: boolean): SafeHtml =>
  html` <button
    class="tab"
    type="button"
    role="tab"
    id="tab-${method}"
    data-method="${method}"
    aria-controls="${method}-method"
    aria-selected="${isFirst ? 'true' : 'false'}"
    tabindex="${isFirst ? 0 : -1}"
  >
    ${icon(method === 'card' ? 'card' : 'bank')}${label}
  </button>`;

const tabs = (texts: PageTexts): SafeHtml =>
  html` <div class="tabs" role="tablist" aria-label="${texts.methods}">
    ${tab('card', texts.cardMethod, true)} ${tab('sepa', texts.sepaMethod, false)}
  </div>`;

const titleOf = (methods: readonly Method[], texts: PageTexts): string => {
  if (methods.length > 1) return texts.chooseMethod;
  return methods.includes('card') ? texts.payByCard : texts.payBySepa;
};

const cardMethod = (texts: PageTexts, { card }: Helps): SafeHtml =>
  html` ${cardForm(texts)}
  ${
    card.length === 0
      ? null
      : testValuesList(
          { id: 'test-cards', title: texts.testCards, use: texts.testCardUse },
          card,
          texts,
        )
  }`;

const sepaMethod = (texts: PageTexts, { sepa }: Helps, creditor: Creditor): SafeHtml =>
  html` ${sepaForm(texts, creditor)}
  ${
    sepa.length === 0
      ? null
      : testValuesList(
          { id: 'test-accounts', title: texts.testAccounts, use: texts.testAccountUse },
          sepa,
          texts,
        )
  }`;

/** The forms of the methods that the merchant allows; as tabs when there are two. */
export const methodsPanel = (
  methods: readonly Method[],
  texts: PageTexts,
  helps: Helps,
  creditor: Creditor,
): SafeHtml => {
  const isChoice = methods.length > 1;
  return html` <section class="panel" id="form-panel">
    <h1 class="form-title" id="form-title" tabindex="-1">${titleOf(methods, texts)}</h1>
    <noscript><p class="alert">${texts.needsScript}</p></noscript>
    ${isChoice ? tabs(texts) : null}
    <div class="alert" id="alert" role="alert" hidden>
      ${icon('alert')}
      <div>
        <p class="alert-title" id="alert-title"></p>
        <p id="alert-text"></p>
        <button class="link-button" id="return-to-bank" type="button" hidden>
          ${texts.returnToBank}
        </button>
      </div>
    </div>
    ${(['card', 'sepa'] as const)
      .filter((method) => methods.includes(method))
      .map(
        (method) =>
          html` <div
            class="method"
            id="${method}-method"
            ${isChoice ? html`role="tabpanel" aria-labelledby="tab-${method}"` : null}
            ${isChoice && method === 'sepa' ? html`hidden` : null}
          >
            ${method === 'card' ? cardMethod(texts, helps) : sepaMethod(texts, helps, creditor)}
          </div>`,
      )}
  </section>`;
};
