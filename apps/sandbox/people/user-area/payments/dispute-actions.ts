import type { DisputeRow } from '../../../collection/disputes/dispute-resource.js';
import { disputeMachine, type DisputeMove } from '../../../collection/disputes/dispute-states.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionButton, actionPanel } from '../web/actions.js';
import { pathIn, type View } from '../web/view.js';
import { words } from '../../web/words.js';

const wordsFor = words(
  {
    evidence: 'Send evidence',
    request_evidence: 'Request evidence',
    accept: 'Accept the dispute',
    win: 'Set as won',
    lose: 'Set as lost',
    hint: 'A text, files, or both. Evidence is sent once and reviewed two bank days later.',
    text: 'Arguments against the dispute',
    files: 'Files (at most 5, of 5 MiB each)',
    send: 'Send',
    sent: 'Evidence sent: it is reviewed two bank days later.',
    requested: 'Evidence requested: the time to contest the dispute stays the same.',
    accepted: 'Dispute accepted: its amount stays with the payer.',
    won: 'Dispute won: its amount is returned in the next payout.',
    lost: 'Dispute lost: its amount stays with the payer.',
  },
  {
    evidence: 'Envoyer des preuves',
    request_evidence: 'Demander des preuves',
    accept: 'Accepter la contestation',
    win: 'Déclarer gagnée',
    lose: 'Déclarer perdue',
    hint: 'Un texte, des fichiers, ou les deux. Envoi unique, examiné deux jours ouvrés plus tard.',
    text: 'Arguments contre la contestation',
    files: 'Fichiers (5 au plus, de 5 Mio chacun)',
    send: 'Envoyer',
    sent: 'Preuves envoyées : elles sont examinées deux jours ouvrés plus tard.',
    requested: 'Preuves demandées : le délai pour contester reste le même.',
    accepted: 'Contestation acceptée : son montant reste au payeur.',
    won: 'Contestation gagnée : son montant est restitué au prochain versement.',
    lost: 'Contestation perdue : son montant reste au payeur.',
  },
);

export const disputeWords = wordsFor;

/** The manual actions on a dispute, besides sending evidence. */
export const HAND_MOVES = {
  request_evidence: 'requested',
  accept: 'accepted',
  win: 'won',
  lose: 'lost',
} as const satisfies Partial<Record<DisputeMove, string>>;

/** The actions that a dispute allows now. */
export const disputeActions = (view: View, { id, status }: DisputeRow): SafeHtml => {
  const text = wordsFor(view.locale);
  const path = (verb: string): string => pathIn(view, `disputes/${id}/${verb}`);
  const moves = (Object.keys(HAND_MOVES) as (keyof typeof HAND_MOVES)[]).filter((move) =>
    disputeMachine.can(status, move),
  );
  return html`<div class="actions">
    ${
      disputeMachine.can(status, 'send_evidence')
        ? actionPanel(view, { label: text.evidence }, text.hint, {
            path: path('evidence'),
            label: text.send,
            tone: 'main',
            hasFiles: true,
            fields: html`<div class="field">
                <label for="text-${id}">${text.text}</label>
                <textarea id="text-${id}" name="text" rows="4" maxlength="20000"></textarea>
              </div>
              <div class="field">
                <label for="files-${id}">${text.files}</label>
                <input id="files-${id}" name="files" type="file" multiple />
              </div>`,
          })
        : null
    }${moves.map((move) => actionButton(view, { path: path(move), label: text[move] }))}
  </div>`;
};
