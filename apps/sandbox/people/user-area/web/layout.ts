import { HOUSE_ACCOUNT } from '../../../storage/account-scope.js';
import { htmlDocument } from '../../web/html-document.js';
import { html, type SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';
import { areaIcon } from './area-icons.js';
import { NAVIGATION, type NavigationEntry } from './navigation.js';
import { shortTime } from './times.js';
import { type Notice, type PageContent, pathIn, type View } from './view.js';
import { words } from '../../web/words.js';

const wordsFor = words(
  {
    area: 'User Area',
    skip: 'Skip to the content',
    sections: 'Sections',
    mode: 'Mode',
    test: 'Test',
    live: 'Live',
    money: 'Money',
    developers: 'Developers',
    sandbox: 'Sandbox',
    account: 'Merchant account',
    clock: 'Sandbox time',
    rate: 'times real time',
    open: 'No key is required on this machine.',
    copied: 'Copied',
    busy: 'One moment…',
  },
  {
    area: 'Espace client',
    skip: 'Aller au contenu',
    sections: 'Rubriques',
    mode: 'Mode',
    test: 'Test',
    live: 'Production',
    money: 'Argent',
    developers: 'Développeurs',
    sandbox: 'Bac à sable',
    account: 'Compte marchand',
    clock: 'Heure du bac à sable',
    rate: 'fois le temps réel',
    open: 'Aucune clé n’est requise sur cette machine.',
    copied: 'Copié',
    busy: 'Un instant…',
  },
);

/** The name of the User Area in the reader's language. */
export const areaName = (locale: Locale): string => wordsFor(locale).area;

type Words = ReturnType<typeof wordsFor>;

const GROUPS = ['money', 'developers', 'sandbox'] as const;

const link = (view: View, entry: NavigationEntry, isHere: boolean): SafeHtml =>
  html` <li>
    <a
      class="nav-link"
      href="${pathIn(view, entry.path)}"
      ${isHere ? html`aria-current="page"` : null}
      >${areaIcon(entry.icon)}<span>${entry.label[view.locale]}</span></a
    >
  </li>`;

const entriesOf = (view: View, group: NavigationEntry['group']): readonly NavigationEntry[] =>
  NAVIGATION.filter((entry: NavigationEntry) => entry.group === group).filter(
    ({ needsControl }: NavigationEntry) => view.hasControl || needsControl !== true,
  );

const navigation = (view: View, section: string | null, text: Words): SafeHtml =>
  html` <nav class="side" aria-label="${text.sections}">
    ${GROUPS.map(
      (group) =>
        html` <div class="nav-group">
          <p class="nav-title" id="nav-${group}">${text[group]}</p>
          <ul aria-labelledby="nav-${group}">
            ${entriesOf(view, group).map((entry) => link(view, entry, entry.path === section))}
          </ul>
        </div>`,
    )}
    ${view.isOpen ? html`<p class="hint">${text.open}</p>` : null}
  </nav>`;

const modeSwitch = (view: View, section: string | null, text: Words): SafeHtml =>
  html` <div class="modes" role="group" aria-label="${text.mode}">
    ${[false, true].map(
      (live) =>
        html` <a
          class="mode"
          href="${pathIn({ ...view, live }, section ?? 'payments')}"
          data-live="${live ? 'yes' : 'no'}"
          ${live === view.live ? html`aria-current="true"` : null}
          >${live ? text.live : text.test}</a
        >`,
    )}
  </div>`;

const clockChip = (view: View, text: Words): SafeHtml =>
  html` <a class="clock-chip" ${view.hasControl ? html`href="${pathIn(view, 'clock')}"` : null}>
    ${areaIcon('clock')}<span class="sr-only">${text.clock}</span><time datetime="${view.now}" data-clock-rate="${view.rate}"
      >${shortTime(view.now, view.locale)}</time
    >${
      view.rate === 1
        ? null
        : html`<span class="clock-rate"
            >×${view.rate}<span class="sr-only"> ${text.rate}</span></span
          >`
    }
  </a>`;

/** The default account is not shown in the header. */
const accountChip = (view: View, text: Words): SafeHtml | null =>
  view.account_id === HOUSE_ACCOUNT
    ? null
    : html`<a
        class="clock-chip"
        href="${pathIn(view, 'accounts')}"
        aria-label="${text.account} ${view.account_id}"
        >${areaIcon('people')}<code>${view.account_id.slice(-6)}</code></a
      >`;

const noticeOf = (notice: Notice | null): SafeHtml | null =>
  notice === null
    ? null
    : html`<div
        class="notice"
        data-tone="${notice.tone}"
        role="${notice.tone === 'bad' ? 'alert' : 'status'}"
      >
        ${areaIcon(notice.tone === 'bad' ? 'alert' : 'check')}
        <p>${notice.text}</p>
      </div>`;

const backLink = ({ back }: PageContent): SafeHtml | null =>
  back === undefined
    ? null
    : html`<a class="back" href="${back.href}">${areaIcon('back')}${back.label}</a>`;

/** The frame of every page: account, mode, time, navigation and the page itself. */
export const layout = (view: View, page: PageContent, notice: Notice | null): SafeHtml => {
  const text = wordsFor(view.locale);
  const body = html` <a class="skip" href="#main">${text.skip}</a>
    <header class="top">
      <a class="brand" href="${pathIn(view, 'payments')}"
        ><span class="brand-mark" aria-hidden="true"> </span>${text.area}</a
      >
      ${accountChip(view, text)}${clockChip(view, text)} ${modeSwitch(view, page.section, text)}
    </header>
    <div class="columns">
      ${navigation(view, page.section, text)}
      <main id="main" tabindex="-1">${backLink(page)} ${noticeOf(notice)} ${page.body}</main>
    </div>
    <p class="sr-only" role="status" id="live"></p>`;
  return htmlDocument({
    locale: view.locale,
    title: `${page.title} · ${text.area}`,
    flags: { live: view.live ? 'yes' : 'no' },
    styles: ['/user-area-assets/area.css', '/user-area-assets/parts.css'],
    script: '/user-area-assets/area.js',
    words: { copied: text.copied, busy: text.busy },
    body,
  });
};
