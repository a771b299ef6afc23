import type { Dictionary } from '../en';
import { lists } from './lists';

const statuses: Readonly<Record<string, string>> = lists.paymentStatus;
const statusOf = (code = ''): string => `« ${statuses[code] ?? code} »`;

/** Errors of the provider have no French text and are shown in English. */
export const notes: Dictionary['notes'] = [
  // Webhooks
  [
    /^ignored: the payment’s status is already (\w+)$/,
    (status) => `ignoré : le paiement est déjà au statut ${statusOf(status)}`,
  ],
  [
    /^ignored: the intent has no reference of this service$/,
    () => 'ignoré : l’intention de paiement ne porte aucune référence de ce service',
  ],
  [
    /^ignored: the intent belongs to another system$/,
    () => 'ignoré : l’intention de paiement appartient à un autre système',
  ],
  [
    /^ignored: (\S+) names no payment intent$/,
    (type) => `ignoré : ${type} ne désigne aucune intention de paiement`,
  ],
  [/^read: (\w+)$/, (status) => `lecture : ${statusOf(status)}`],
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
    (status) => `n’est plus demandé : le paiement est au statut ${statusOf(status)}`,
  ],
  [
    /^not needed: the payment is (\w+)$/,
    (status) => `inutile : le paiement est au statut ${statusOf(status)}`,
  ],
  [/^not needed: the payer pays$/, () => 'inutile : le payeur paie'],
  [/^status in the response: (\w+)$/, (status) => `statut dans la réponse : ${statusOf(status)}`],
  [
    /^the intent shows (\w+)$/,
    (status) => `l’intention de paiement est au statut ${statusOf(status)}`,
  ],
  [
    /^the intent shows another amount or currency than requested$/,
    () => 'l’intention de paiement a un autre montant ou une autre devise que la demande',
  ],
  [/^the response is about another intent$/, () => 'la réponse concerne une autre intention'],
  [/^the provider shows the refund$/, () => 'le prestataire a effectué le remboursement'],
  [
    /^the provider shows no new refund$/,
    () => 'le prestataire n’a effectué aucun nouveau remboursement',
  ],
  [/^another refund was made$/, () => 'un autre remboursement a été effectué'],
  [/^found by email and legal id$/, () => 'trouvé par e-mail et identifiant légal'],
  // Reconciliation
  [/^in a payout by (\S+)$/, (day) => `dans un versement au plus tard le ${day}`],
  [/^in no payout$/, () => 'dans aucun versement'],
  [/^an entry of our journal$/, () => 'une écriture de notre journal'],
  [/^none$/, () => 'aucune'],
  [/^one line$/, () => 'une seule ligne'],
  [/^(\d+) in this payout$/, (count) => `${count} dans ce versement`],
  [/^lines$/, () => 'des lignes'],
  [/^lines cannot be read$/, () => 'lignes illisibles'],
  [/^paid in a week$/, () => 'versé sous une semaine'],
  [/^not paid$/, () => 'non versé'],
  [/^the line is in a payout$/, () => 'la ligne est dans un versement'],
  [/^recorded as missing$/, () => 'enregistré comme manquant'],
  [/^the provider has no payouts$/, () => 'le prestataire n’a aucun versement'],
  [/^the payout has failed$/, () => 'le versement a échoué'],
  [/^the difference no longer exists$/, () => 'la différence n’existe plus'],
];
