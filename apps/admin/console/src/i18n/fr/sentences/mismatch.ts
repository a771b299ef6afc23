import { type Mismatch, mismatchIn, mismatchValue } from '../../../story/mismatch';
import type { Say } from '../../../story/sentence';
import { lowerFirst } from '../../lower-first';

export const aspects: Readonly<Record<string, string>> = {
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
  `Écart sur ${aspects[event.aspect] ?? event.aspect} : ` +
  `« ${mismatchValue(say, event, event.expected)} » chez nous, ` +
  `« ${mismatchValue(say, event, event.observed)} » chez le prestataire`;

/** The sentence about the review of status mismatches. */
export const mismatchesReviewed = (
  { mismatches }: { readonly mismatches: readonly string[] },
  say: Say,
): string =>
  `Examiné : ${mismatches.map((one) => lowerFirst(mismatch(mismatchIn(one), say))).join(' ; ')}${say.by}`;
