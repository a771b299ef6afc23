import type { FullCompany } from '../../onboarding/companies/company-row.js';
import {
  TERMINAL_MOVES,
  terminalMachine,
  type UserAreaMove,
} from '../../onboarding/terminals/terminal-status.js';
import type { TerminalView } from '../../onboarding/terminals/terminal-wire.js';
import { html, type SafeHtml } from '../web/html.js';
import { icon } from '../web/icons.js';
import type { SubscriptionTexts } from './subscription-texts.js';

/** What the merchant sees after signing: the status, the API keys (once), and the terminals. */
export interface AreaView {
  readonly company: FullCompany;
  readonly terminals: readonly TerminalView[];
  /** Whether the API keys are still to be shown or already were; null when there are no keys. */
  readonly keys: 'to_show' | 'shown' | null;
}

const statusPanel = ({ status }: FullCompany, texts: SubscriptionTexts): SafeHtml => {
  const shown = status === 'notComplete' ? 'pendingActivation' : status;
  const isOver = shown === 'deactivate' || shown === 'pendingDeactivation';
  const tone = isOver ? 'bad' : 'good';
  return html` <section class="card ending" id="status-panel">
    <div class="seal seal-${tone}">${icon(isOver ? 'cross' : 'check')}</div>
    <h2 class="ending-title" tabindex="-1">${texts[shown]}</h2>
    <p class="ending-text">${texts[`${shown}Text`]}</p>
  </section>`;
};

const keysPanel = (keys: AreaView['keys'], texts: SubscriptionTexts): SafeHtml | null =>
  keys === null
    ? null
    : html` <section class="card panel" aria-labelledby="keys-title">
        <h2 class="form-title" id="keys-title">${texts.keys}</h2>
        ${
          keys === 'shown'
            ? html`<p class="hint" id="keys-shown">${texts.keysShown}</p>`
            : html`<p class="hint">${texts.keysLead}</p>
                <button class="pay" type="button" id="show-keys">${texts.showKeys}</button>
                <dl class="facts" id="keys" hidden>
                  <div>
                    <dt>${texts.testKey}</dt>
                    <dd><code id="key-test"></code></dd>
                  </div>
                  <div>
                    <dt>${texts.liveKey}</dt>
                    <dd><code id="key-live"></code></dd>
                  </div>
                </dl>`
        }
      </section>`;

const moveText = (move: UserAreaMove, texts: SubscriptionTexts): string =>
  move === 'deactivate' ? texts.deactivateTerminal : texts[move];

const terminalItem = (terminal: TerminalView, texts: SubscriptionTexts): SafeHtml => {
  const moves = TERMINAL_MOVES.filter((move) => terminalMachine.can(terminal.status, move));
  const { 'tracking-url': tracking } = terminal;
  return html` <li class="terminal" data-terminal="${terminal.id}">
    <p><strong>${terminal.name}</strong> <code>${terminal.status}</code></p>
    ${
      tracking === undefined
        ? null
        : html`<p>
            <a class="plain-link" href="${tracking}" rel="noopener noreferrer" target="_blank"
              >${texts.track}</a
            >
            (${terminal['carrier-name'] ?? ''})
          </p>`
    }
    ${moves.map(
      (move) =>
        html`<button
          class="second"
          type="button"
          data-move="${move}"
          aria-label="${moveText(move, texts)}: ${terminal.name}"
        >
          ${moveText(move, texts)}
        </button> `,
    )}
  </li>`;
};

const terminalsPanel = (
  terminals: readonly TerminalView[],
  texts: SubscriptionTexts,
): SafeHtml | null =>
  terminals.length === 0
    ? null
    : html` <section class="card panel" aria-labelledby="terminals-title">
        <h2 class="form-title" id="terminals-title">${texts.terminals}</h2>
        <ul class="papers">
          ${terminals.map((terminal) => terminalItem(terminal, texts))}
        </ul>
      </section>`;

export const areaPanels = (view: AreaView, texts: SubscriptionTexts): SafeHtml =>
  html` ${statusPanel(view.company, texts)} ${keysPanel(view.keys, texts)}
    ${terminalsPanel(view.terminals, texts)}
    <p class="field-error" id="area-error" role="alert"></p>`;
