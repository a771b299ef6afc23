import { creditorNamed } from '../../collection/mandates/creditor.js';
import type { PageView } from '../../collection/page-flow/page-flow.js';
import type { SepaView, Signing } from '../../collection/page-flow/sepa-page-flow.js';
import type { ShownAmount } from '../../collection/page-flow/shown-amount.js';
import type { Method } from '../../money/fees.js';
import { dataBlock, html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { amountText, type Locale } from '../web/locale.js';
import { filled } from '../web/words.js';
import { type Audience, documentShell } from './document-shell.js';
import { methodsPanel } from './methods.js';
import { type PageTexts, pageTexts } from './page-texts.js';
import { amountLabel, type Ending, endingOf, endingPanel, statusPanel } from './panels.js';
import { refusalText } from './refusal-texts.js';
import { signPanel } from './sepa-form.js';
import { testAccounts, type TestCardHelp, testCards, type TestHelp } from './test-helps.js';

/**
 * The return URL, when it is an http or https URL; null otherwise, so that no link runs a script or
 * opens a file.
 */
const safeReturnUrl = (returnUrl: string | null): string | null =>
  returnUrl !== null && /^https?:\/\//i.test(returnUrl) && URL.canParse(returnUrl)
    ? returnUrl
    : null;

const summary = (view: PageView, amount: string, texts: PageTexts): SafeHtml =>
  html` <header class="summary">
    ${view.testMode ? html`<p class="badge" title="${texts.testNotice}">${texts.testMode}</p>` : null}
    <div class="summary-names">
      <p class="summary-merchant">${view.merchantName}</p>
      ${view.description === null ? null : html`<p class="summary-what">${view.description}</p>`}
    </div>
    <p class="summary-label" id="amount-label">${amountLabel(endingOf(view), texts)}</p>
    <p class="summary-amount" aria-labelledby="amount-label">${amount}</p>
  </header>`;

const promiseOf = ({ methodsAllowed: methods }: PageView, texts: PageTexts): string => {
  if (methods.length > 1) return texts.securedChoice;
  return methods.includes('card') ? texts.secured : texts.securedDebit;
};

const footer = (view: PageView, texts: PageTexts): SafeHtml =>
  html` <footer class="foot">${icon('shield')}<span>${promiseOf(view, texts)}</span></footer>`;

interface PageData {
  readonly intentId: string;
  readonly locale: Locale;
  readonly status: string;
  /** The amount in the texts: the script sends it with each attempt. */
  readonly shown: ShownAmount;
  readonly ending: Ending | null;
  readonly authSession: string | null;
  /** Whether the payer left the bank's page and has not returned to it. */
  readonly hasLeftBank: boolean;
  /** The mandate that waits for its code; null when there is none. */
  readonly signing: Signing | null;
  readonly method: Method;
  readonly lastRefusal: { readonly text: string; readonly code: string } | null;
  readonly returnUrl: string | null;
  readonly texts: PageTexts;
  readonly testCards: readonly TestCardHelp[];
  readonly testAccounts: readonly TestHelp[];
}

const refusalOf = (
  { lastRefusal }: PageView,
  method: Method,
  locale: Locale,
): PageData['lastRefusal'] => {
  if (lastRefusal === undefined) return null;
  const { maskedCode: code } = lastRefusal;
  return { text: refusalText(code, locale, method), code };
};

/**
 * The payment method shown first: direct debit when the payer's last attempt was a direct debit;
 * otherwise card, if allowed.
 */
const methodOf = ({ methodsAllowed }: PageView, sepa: SepaView): Method => {
  const wasSepa = sepa.isRefused || sepa.signing !== null;
  return wasSepa || !methodsAllowed.includes('card') ? 'sepa' : 'card';
};

/**
 * Inserts the amount and the merchant's name into the texts; the page's script fills the other
 * placeholders.
 */
const filledTexts = (
  texts: PageTexts,
  values: { readonly amount: string; readonly merchant: string },
): PageTexts => {
  const entries = Object.entries(texts).map(([key, text]) => [key, filled(text, values)]);
  return Object.fromEntries(entries) as PageTexts;
};

/** The hosted page of a payment in its present state: the form, the bank, or the result. */
export const payPage = (
  view: PageView,
  sepa: SepaView,
  { locale, isFramed }: Audience,
): SafeHtml => {
  const amount = amountText(view.amountMinor, view.currency, locale);
  const { merchantName: merchant } = view;
  const texts = filledTexts(pageTexts(locale), { amount, merchant });
  const creditor = creditorNamed(merchant);
  const returnUrl = safeReturnUrl(view.returnUrl);
  const ending = endingOf(view);
  const { methodsAllowed: methods, testMode } = view;
  const helps = {
    card: testMode && methods.includes('card') ? testCards(locale) : [],
    sepa: testMode && methods.includes('sepa') ? testAccounts(locale) : [],
  };
  const method = methodOf(view, sepa);
  const data: PageData = {
    intentId: view.intentId,
    locale,
    status: view.status,
    shown: { amount: view.amountMinor, currency: view.currency },
    ending,
    authSession: view.authSession?.id ?? null,
    hasLeftBank: view.authSession?.hasLeft ?? false,
    signing: ending === null ? sepa.signing : null,
    method,
    lastRefusal: refusalOf(view, method, locale),
    returnUrl,
    texts,
    testCards: helps.card,
    testAccounts: helps.sepa,
  };
  const body = html` <div class="page">
      ${summary(view, amount, texts)}
      <main class="card" id="main">
        ${ending === null ? methodsPanel(methods, texts, helps, creditor) : null}
        ${
          ending === null && methods.includes('sepa')
            ? signPanel(texts, creditor, testMode ? `/inbox/${view.intentId}` : null)
            : null
        }
        ${statusPanel(texts)} ${endingPanel(ending, texts, { returnUrl })}
      </main>
      ${footer(view, texts)}
    </div>
    <p class="sr-only" role="status" id="live"></p>`;
  const title = `${texts.title} · ${merchant} · ${amount}`;
  return documentShell({ locale, isFramed, title, data: dataBlock('page-data', data), body });
};

const NOWHERE = { returnUrl: null };

/** The page for a URL without a known payment. */
export const missingPage = ({ locale, isFramed }: Audience): SafeHtml => {
  const texts = pageTexts(locale);
  const body = html` <div class="page page-narrow">
    <main class="card" id="main">${endingPanel('missing', texts, NOWHERE)}</main>
  </div>`;
  return documentShell({ locale, isFramed, title: texts.missingTitle, data: null, body });
};
