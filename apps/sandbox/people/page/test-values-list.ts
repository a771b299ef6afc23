import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import { brandMark } from './brand-marks.js';
import type { PageTexts } from './page-texts.js';
import type { TestCardHelp, TestHelp } from './test-helps.js';

interface Listed {
  readonly id: string;
  readonly title: string;
  /** A label for screen readers, which says what a click on a test value does. */
  readonly use: string;
}

/** The test values of a payment method; a click on a test value fills the form with it. */
export const testValuesList = (
  { id, title, use }: Listed,
  helps: readonly (TestHelp | TestCardHelp)[],
  texts: PageTexts,
): SafeHtml =>
  html` <details class="test-cards" id="${id}">
    <summary>
      <span>${title}</span> <span class="test-note">${texts.testNotice}</span>${icon('chevron')}
    </summary>
    <ul>
      ${helps.map(
        (help, index) =>
          html` <li>
            <button type="button" data-test-value="${index}">
              <span class="sr-only">${use}</span>
              <span class="test-number"
                >${'brand' in help ? brandMark(help.brand) : null}${help.number}</span
              >
              <span class="test-scenario">${help.scenario}</span>
              <span class="test-result" data-good="${help.accepted ? 'yes' : 'no'}"
                >${help.response}</span
              >
            </button>
          </li>`,
      )}
    </ul>
  </details>`;
