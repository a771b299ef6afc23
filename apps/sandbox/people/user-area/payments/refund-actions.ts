import type { RefundRow } from '../../../collection/refunds/refund-resource.js';
import { refundMachine } from '../../../collection/refunds/refund-states.js';
import { html, type SafeHtml } from '../../web/html.js';
import { words } from '../../web/words.js';
import { actionButton } from '../web/actions.js';
import { pathIn, type View } from '../web/view.js';

export const refundWords = words(
  {
    dishonor: 'Set as not honored',
    fail: 'Set as failed',
    dishonored: 'Refund not honored: its amount can be refunded again.',
    failed: 'Refund failed: its amount can be refunded again.',
  },
  {
    dishonor: 'Déclarer non honoré',
    fail: 'Déclarer échoué',
    dishonored: 'Remboursement non honoré : son montant peut de nouveau être remboursé.',
    failed: 'Remboursement échoué : son montant peut de nouveau être remboursé.',
  },
);

/** The manual actions on a refund: those of the payer's bank and of the provider. */
export const REFUND_MOVES = { dishonor: 'dishonored', fail: 'failed' } as const;

/** The actions that a refund allows now; null when it allows none. */
export const refundActions = (view: View, { id, status }: RefundRow): SafeHtml | null => {
  const text = refundWords(view.locale);
  const moves = (['dishonor', 'fail'] as const).filter((move) => refundMachine.can(status, move));
  if (moves.length === 0) return null;
  return html`<div class="actions">
    ${moves.map((move) =>
      actionButton(view, { path: pathIn(view, `refunds/${id}/${move}`), label: text[move] }),
    )}
  </div>`;
};
