import type { PageView } from '../payments/page-flow.js';
import { cardForm } from './card-form.js';
import { type PageTexts, pageTexts } from './page-texts.js';
import { amountLabel, type Ending, endingOf, endingPanel, statusPanel } from './panels.js';
import { refusalText } from './refusal-texts.js';
import { type CardHelp, testCards } from './test-cards.js';
import { dataBlock, html, type SafeHtml } from './web/html.js';
import { icon } from './web/icons.js';
import { amountText, type Locale } from './web/locale.js';

/** Who looks at the page, and from where. */
interface Audience {
  readonly locale: Locale;
  readonly isFramed: boolean;
}

interface Shell extends Audience {
  readonly title: string;
  readonly data: SafeHtml | null;
  readonly body: SafeHtml;
}

const document = ({ locale, isFramed, title, data, body }: Shell): SafeHtml => html`
<!doctype html>
<html lang="${locale}" data-framed="${isFramed ? 'yes' : 'no'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page-assets/base.css">
<link rel="stylesheet" href="/page-assets/page.css">
<script type="module" src="/page-assets/page.js"></script>
</head>
<body>${body}${data}</body>
</html>`;

/** Only an address that a browser may be sent to, never a script or a file. */
const safeReturnUrl = (returnUrl: string | null): string | null =>
  returnUrl !== null && /^https?:\/\//i.test(returnUrl) && URL.canParse(returnUrl)
    ? returnUrl
    : null;

const summary = (view: PageView, amount: string, texts: PageTexts): SafeHtml => html`
<header class="summary">
  ${view.testMode ? html`<p class="badge" title="${texts.testNotice}">${texts.testMode}</p>` : null}
  <p class="summary-what">${view.description ?? texts.title}</p>
  <p class="summary-label" id="amount-label">${
    amountLabel(endingOf(view), texts)
  }</p>
  <p class="summary-amount" aria-labelledby="amount-label">${amount}</p>
</header>`;

const footer = (texts: PageTexts): SafeHtml => html`
<footer class="foot">${icon('shield')}<span>${texts.secured}</span></footer>`;

interface PageData {
  readonly intentId: string;
  readonly locale: Locale;
  readonly status: string;
  readonly ending: Ending | null;
  readonly authSession: string | null;
  readonly lastRefusal: { readonly text: string; readonly code: string } | null;
  readonly returnUrl: string | null;
  readonly texts: PageTexts;
  readonly testCards: readonly CardHelp[];
}

const refusalOf = ({ lastRefusal }: PageView, locale: Locale): PageData['lastRefusal'] => {
  if (lastRefusal === undefined) return null;
  const { maskedCode: code } = lastRefusal;
  return { text: refusalText(code, locale), code };
};

/** `{amount}` is filled here, once; what else has a place to fill is the script's. */
const withAmount = (texts: PageTexts, amount: string): PageTexts => {
  const filled = Object.entries(texts).map(([key, text]) => [
    key, text.replace('{amount}', amount),
  ]);
  return Object.fromEntries(filled) as PageTexts;
};

/** The hosted page of a payment as it stands: the form, the bank, or how it ended. */
export const payPage = (view: PageView, { locale, isFramed }: Audience): SafeHtml => {
  const amount = amountText(view.amountMinor, view.currency, locale);
  const texts = withAmount(pageTexts(locale), amount);
  const returnUrl = safeReturnUrl(view.returnUrl);
  const ending = endingOf(view);
  const cards = view.testMode ? testCards(locale) : [];
  const data: PageData = {
    intentId: view.intentId,
    locale,
    status: view.status,
    ending,
    authSession: view.authSession?.id ?? null,
    lastRefusal: refusalOf(view, locale),
    returnUrl,
    texts,
    testCards: cards,
  };
  const body = html`
<div class="page">
  ${summary(view, amount, texts)}
  <main class="card" id="main">
    ${ending === null ? cardForm(texts, cards) : null}
    ${statusPanel(texts)}
    ${endingPanel(ending, texts, returnUrl)}
  </main>
  ${footer(texts)}
</div>
<p class="sr-only" role="status" id="live"></p>`;
  const title = `${texts.title} · ${amount}`;
  return document({ locale, isFramed, title, data: dataBlock('page-data', data), body });
};

/** What a wrong or shortened address shows. */
export const missingPage = ({ locale, isFramed }: Audience): SafeHtml => {
  const texts = pageTexts(locale);
  const body = html`
<div class="page page-narrow">
  <main class="card" id="main">${endingPanel('missing', texts, null)}</main>
</div>`;
  return document({ locale, isFramed, title: texts.missingTitle, data: null, body });
};
