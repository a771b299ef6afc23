import { type Mismatch, mismatchValue } from '../../../story/mismatch';
import type { Say } from '../../../story/sentence';

const ASPECTS: Readonly<Record<string, string>> = {
  account: 'le compte',
  amount: 'le montant',
  capture: 'la capture',
  company: 'la société',
  currency: 'la devise',
  date: 'la date',
  day: 'le jour du statut',
  dispute: 'la contestation',
  fees: 'les frais',
  fees_vat: 'la TVA sur les frais',
  intent: 'l’intention de paiement',
  lines: 'les lignes',
  reference: 'la référence',
  refund: 'le remboursement',
  status: 'le statut',
  totals: 'les totaux',
};

export const mismatch = (event: Mismatch, say: Say): string =>
  `Écart sur ${ASPECTS[event.aspect] ?? event.aspect} : ` +
  `« ${mismatchValue(say, event, event.expected)} » chez nous, ` +
  `« ${mismatchValue(say, event, event.observed)} » chez le prestataire`;
