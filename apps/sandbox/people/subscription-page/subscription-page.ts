import type { FullCompany } from '../../onboarding/companies/company-row.js';
import { isFinalized } from '../../onboarding/companies/company-status.js';
import { missingToSign, progressOf } from '../../onboarding/registration/registration-progress.js';
import type { TerminalView } from '../../onboarding/terminals/terminal-wire.js';
import { htmlDocument } from '../web/html-document.js';
import { dataBlock, html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import type { Locale } from '../web/locale.js';
import { areaPanels, type AreaView } from './area-panels.js';
import { documentPanel } from './document-panel.js';
import { reviewPanel } from './review-panel.js';
import { type SubscriptionTexts, subscriptionTexts } from './subscription-texts.js';

export interface SubscriptionView extends AreaView {
  readonly company: FullCompany;
  readonly terminals: readonly TerminalView[];
  /** Whether the page links to the sandbox's message inbox. */
  readonly hasInbox: boolean;
}

const document = (locale: Locale, title: string, body: SafeHtml, data: object | null): SafeHtml =>
  htmlDocument({
    locale,
    title,
    flags: { framed: 'no' },
    styles: ['/page-assets/page.css', '/subscription-assets/subscription.css'],
    script: data === null ? null : '/subscription-assets/subscription.js',
    body: html`${body}${data === null ? null : dataBlock('page-data', data)}`,
  });

const missingPanel = (fields: readonly string[], texts: SubscriptionTexts): SafeHtml | null =>
  fields.length === 0
    ? null
    : html` <section class="card panel" aria-labelledby="missing-title">
        <div class="alert" id="missing">
          ${icon('alert')}
          <div>
            <h2 class="alert-title" id="missing-title">${texts.missingTitle}</h2>
            <p>${texts.missingLead}</p>
            <ul class="missing">
              ${fields.map((field) => html`<li><code>${field}</code></li>`)}
            </ul>
          </div>
        </div>
      </section>`;

const signPanel = (
  { company, hasInbox }: SubscriptionView,
  isReady: boolean,
  texts: SubscriptionTexts,
): SafeHtml =>
  html` <section class="card panel" aria-labelledby="sign-title" id="sign-panel">
    <h2 class="form-title" id="sign-title">${texts.sign}</h2>
    <noscript><p class="alert">${texts.needsScript}</p></noscript>
    <p class="hint">${isReady ? texts.signLead : texts.completeFirst}</p>
    <button class="pay" type="button" id="send-code" ${isReady ? null : html`disabled`}>
      ${texts.sendCode}
    </button>
    <form id="code-form" hidden novalidate>
      <p class="hint" id="code-hint">
        ${texts.codeSent.replace('{phone}', company.file.user.contact.phone ?? '')}
      </p>
      ${
        hasInbox
          ? html`<p class="hint">
              <a
                class="plain-link"
                target="_blank"
                rel="noopener"
                href="/sandbox/onboarding/inbox?company=${company.id}"
                >${texts.inbox}</a
              >
            </p>`
          : null
      }
      <div class="field">
        <label for="code">${texts.code}</label>
        <div class="control">
          <input
            id="code"
            inputmode="numeric"
            pattern="[0-9]{4}"
            maxlength="4"
            autocomplete="one-time-code"
            aria-describedby="sign-error"
          />
        </div>
      </div>
      <button class="pay" type="submit">${texts.signNow}</button>
    </form>
    <p class="field-error" id="sign-error" role="alert"></p>
  </section>`;

/** The page on which the merchant completes the registration, and then follows its progress. */
export const subscriptionPage = (view: SubscriptionView, locale: Locale): SafeHtml => {
  const texts = subscriptionTexts(locale);
  const { company } = view;
  const progress = progressOf(company);
  const missing = missingToSign(progress);
  const papers = progress.steps.find(({ code }) => code === 'documents')?.missing ?? [];
  const open = html` ${missingPanel(
    missing.filter((field) => !papers.includes(field)),
    texts,
  )}
  ${reviewPanel(company.file, texts)} ${documentPanel(company, texts)}
  ${signPanel(view, missing.length === 0, texts)}`;
  const body = html` <div class="page page-steps">
      <header class="summary">
        ${
          company.live
            ? null
            : html`<p class="badge" title="${texts.testNotice}">${texts.testMode}</p>`
        }
        <h1 class="summary-what">${texts.title} · ${company.file['legal-name']}</h1>
        ${isFinalized(company.status) ? null : html`<p class="hint">${texts.lead}</p>`}
      </header>
      <main class="steps" id="main" data-status="${company.status}">
        ${isFinalized(company.status) ? areaPanels(view, texts) : open}
      </main>
    </div>
    <p class="sr-only" role="status" id="live"></p>`;
  const data = { token: company.link_token, version: company.version, texts };
  return document(locale, `${texts.title} · ${company.file['legal-name']}`, body, data);
};

/** The page for a URL without a known registration. */
export const noSubscriptionPage = (locale: Locale): SafeHtml => {
  const texts = subscriptionTexts(locale);
  const body = html` <div class="page page-narrow">
    <main class="card" id="main">
      <div class="ending">
        <h1 class="ending-title">${texts.noLinkTitle}</h1>
        <p class="ending-text">${texts.noLink}</p>
      </div>
    </main>
  </div>`;
  return document(locale, texts.noLinkTitle, body, null);
};
