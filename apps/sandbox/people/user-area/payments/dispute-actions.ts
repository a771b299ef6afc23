import type { DisputeRow } from '../../../collection/disputes/dispute-resource.js';
import { disputeMachine, type DisputeMove } from '../../../collection/disputes/dispute-states.js';
import { html, type SafeHtml } from '../../web/html.js';
import { actionButton, actionPanel } from '../web/actions.js';
import { pathIn, type View } from '../web/view.js';
import { words } from '../web/words.js';

const wordsFor = words(
  {
    evidence: 'Send evidence',
    accept: 'Accept the loss',
    win: 'Decide: won',
    lose: 'Decide: lost',
    hint: 'A text, files, or both: sent once, and reviewed two bank days later.',
    text: 'Arguments against the dispute',
    files: 'Files (at most 5, of 5 MiB each)',
    send: 'Send it',
    sent: 'The evidence was sent: it is reviewed two bank days later.',
    accepted: 'The dispute was accepted: its amount stays with the payer.',
    won: 'The dispute was won: its amount is returned in the next payout.',
    lost: 'The dispute was lost: its amount stays with the payer.',
  },
  {
    evidence: 'Envoyer des preuves',
    accept: 'Accepter la perte',
    win: 'Décider : gagnée',
    lose: 'Décider : perdue',
    hint: 'Un texte, des fichiers, ou les deux : envoyés une fois, examinés deux jours ouvrés après.',
    text: 'Arguments contre la contestation',
    files: 'Fichiers (5 au plus, de 5 Mio chacun)',
    send: 'Envoyer',
    sent: 'Les preuves sont envoyées : elles sont examinées deux jours ouvrés plus tard.',
    accepted: 'La contestation est acceptée : son montant reste au payeur.',
    won: 'La contestation est gagnée : son montant est rendu au prochain virement.',
    lost: 'La contestation est perdue : son montant reste au payeur.',
  },
);

export const disputeWords = wordsFor;

/** The manual actions on a dispute, besides sending evidence. */
export const HAND_MOVES = {
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
