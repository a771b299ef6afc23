import { formatDay } from '../../shared/format';
import type { Dictionary } from '../en';
import { lists } from './lists';

const statuses: Readonly<Record<string, string>> = lists.paymentStatus;
const statusOf = (code = ''): string => `« ${statuses[code] ?? code} »`;

/** Notes that quote an error of the provider have no pattern and are shown in English. */
export const notes: Dictionary['notes'] = [
  // Refunds.
  [
    /^the provider did not execute the refund$/,
    () => 'le prestataire n’a pas effectué le remboursement',
  ],
  // Webhooks.
  [
    /^ignored: the payment’s status is already (\w+)$/,
    (status) => `ignoré : statut ${statusOf(status)} déjà atteint`,
  ],
  [
    /^ignored: the intent has no reference of this service$/,
    () => 'ignoré : intention de paiement sans référence de cette application',
  ],
  [
    /^ignored: the intent belongs to another system$/,
    () => 'ignoré : intention de paiement d’un autre système',
  ],
  [
    /^ignored: (\S+) names no payment intent$/,
    (type) => `ignoré : ${type} sans intention de paiement`,
  ],
  [/^read: (\w+)$/, (status) => `lecture : ${statusOf(status)}`],
  [/^the provider account does not exist$/, () => 'le compte prestataire n’existe pas'],
  // Provider requests
  [/^created$/, () => 'créé'],
  [/^canceled$/, () => 'annulé'],
  [/^registered$/, () => 'enregistré'],
  [/^ordered$/, () => 'commandé'],
  [/^disputed$/, () => 'contesté'],
  [/^no longer requested$/, () => 'n’est plus demandé'],
  [
    /^no longer requested: the payment is (\w+)$/,
    (status) => `n’est plus demandé : le paiement est au statut ${statusOf(status)}`,
  ],
  [
    /^not needed: the payment is (\w+)$/,
    (status) => `inutile : le paiement est au statut ${statusOf(status)}`,
  ],
  [
    /^not needed: the payer pays$/,
    () => 'inutile : le payeur paie lui-même sur la page de paiement',
  ],
  [/^status in the response: (\w+)$/, (status) => `statut dans la réponse : ${statusOf(status)}`],
  [
    /^the intent shows (\w+)$/,
    (status) => `l’intention de paiement est au statut ${statusOf(status)}`,
  ],
  [
    /^the intent shows another amount or currency than requested$/,
    () => 'l’intention de paiement a un autre montant ou une autre devise que la demande',
  ],
  [
    /^the response is about another intent$/,
    () => 'la réponse concerne une autre intention de paiement',
  ],
  [/^the provider shows the refund$/, () => 'remboursement présent chez le prestataire'],
  [
    /^the provider shows the refund with another currency or beyond the capture$/,
    () =>
      'remboursement présent chez le prestataire, dans une autre devise ou au-delà de la capture',
  ],
  [/^the provider shows no new refund$/, () => 'aucun nouveau remboursement chez le prestataire'],
  [/^another refund was made$/, () => 'un autre remboursement a été effectué'],
  [/^found by email and legal id$/, () => 'trouvé par e-mail et identifiant légal'],
  // Reconciliation.
  [
    /^in a payout by (\S+)$/,
    (day = '') => `dans un versement au plus tard le ${formatDay(day, 'fr')}`,
  ],
  [/^in no payout$/, () => 'dans aucun versement'],
  [/^none$/, () => 'aucun'],
  [/^one line$/, () => 'une seule ligne'],
  [/^(\d+) in this payout$/, (count) => `${count} dans ce versement`],
  [/^lines$/, () => 'des lignes'],
  [/^lines cannot be read$/, () => 'lignes illisibles'],
  [/^paid in a week$/, () => 'versé sous une semaine'],
  [/^not paid$/, () => 'non versé'],
  [/^the line is in a payout$/, () => 'la ligne est dans un versement'],
  [/^recorded as missing$/, () => 'enregistré comme manquant'],
  [/^the provider has no payouts$/, () => 'le prestataire ne fait pas de versements'],
  [/^the payout has failed$/, () => 'le versement a échoué'],
  [/^the difference no longer exists$/, () => 'la différence n’existe plus'],
];
