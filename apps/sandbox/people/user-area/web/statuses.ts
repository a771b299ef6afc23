import { html, type SafeHtml } from '../../web/html.js';
import type { Locale } from '../../web/locale.js';

/** The colour of a status; its text is always shown as well. */
export type Tone = 'good' | 'going' | 'waiting' | 'bad' | 'over';

type Known = readonly [tone: Tone, en: string, fr: string];

/** Every status in the User Area. */
const STATUSES: Readonly<Record<string, Known>> = {
  // Payments and intents.
  require_payment_method: ['waiting', 'Awaiting the payer', 'En attente du payeur'],
  require_authentication: ['waiting', 'At the bank', 'À la banque'],
  require_authorization: ['waiting', 'At the bank', 'À la banque'],
  awaiting_bank: ['waiting', 'At the bank', 'À la banque'],
  authorized: ['waiting', 'Authorized', 'Autorisé'],
  interrupted: ['waiting', 'Interrupted', 'Interrompu'],
  to_capture: ['going', 'To capture', 'À capturer'],
  capture_sent: ['going', 'Capture sent', 'Capture envoyée'],
  captured: ['good', 'Captured', 'Capturé'],
  processing: ['going', 'Processing', 'En cours'],
  disputed: ['bad', 'Disputed', 'Contesté'],
  expired: ['over', 'Expired', 'Expiré'],
  failed: ['bad', 'Failed', 'Échoué'],
  refused: ['bad', 'Refused', 'Refusé'],
  canceled: ['over', 'Canceled', 'Annulé'],
  unpaid: ['bad', 'Unpaid', 'Impayé'],
  // Strong authentication.
  available: ['waiting', 'Available', 'Disponible'],
  requested: ['waiting', 'Requested', 'Demandée'],
  attempted: ['going', 'At the bank', 'À la banque'],
  success: ['good', 'Succeeded', 'Réussie'],
  declined: ['bad', 'Declined', 'Refusée'],
  unavailable: ['over', 'Not available', 'Indisponible'],
  // Refunds.
  to_refund: ['waiting', 'To refund', 'À rembourser'],
  refund_sent: ['going', 'Refund sent', 'Remboursement envoyé'],
  refunded: ['good', 'Refunded', 'Remboursé'],
  not_honored: ['bad', 'Not honored', 'Non honoré'],
  // Disputes.
  open: ['bad', 'Open', 'Ouverte'],
  evidence_pending: ['waiting', 'Evidence requested', 'Preuves demandées'],
  evidence_sent: ['going', 'Evidence sent', 'Preuves envoyées'],
  evidence_verification: ['going', 'Evidence under review', 'Preuves en examen'],
  accepted: ['over', 'Accepted', 'Acceptée'],
  won: ['good', 'Won', 'Gagnée'],
  lost: ['bad', 'Lost', 'Perdue'],
  out_of_time: ['over', 'Deadline passed', 'Hors délai'],
  not_contestable: ['over', 'Not contestable', 'Non contestable'],
  // Payouts.
  pending: ['waiting', 'Pending', 'En attente'],
  to_pay: ['going', 'To be paid', 'À verser'],
  sent: ['going', 'Sent', 'Envoyé'],
  paid: ['good', 'Paid', 'Versé'],
  // Deliveries and endpoints.
  waiting: ['waiting', 'Pending', 'En attente'],
  sending: ['going', 'Sending', 'En cours d’envoi'],
  delivered: ['good', 'Delivered', 'Livré'],
  given_up: ['bad', 'Retries exhausted', 'Tentatives épuisées'],
  dropped: ['over', 'Dropped', 'Supprimé'],
  enabled: ['good', 'Enabled', 'Actif'],
  disabled: ['over', 'Disabled', 'Désactivé'],
};

export const statusText = (status: string, locale: Locale): string => {
  const [, en, fr] = STATUSES[status] ?? ['over', status, status];
  return locale === 'fr' ? fr : en;
};

/** A status as a small coloured label. */
export const pill = (status: string, locale: Locale): SafeHtml => {
  const [tone] = STATUSES[status] ?? ['over'];
  return html`<span class="pill" data-tone="${tone}">${statusText(status, locale)}</span>`;
};
