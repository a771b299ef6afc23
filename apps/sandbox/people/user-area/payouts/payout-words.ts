import { words } from '../web/words.js';

/** What the pages of payouts say. */
export const payoutWords = words(
  {
    payouts: 'Payouts', payout: 'Payout', day: 'Day', reference: 'Reference', amount: 'Amount',
    fees: 'Fees', vat: 'VAT', status: 'Status', none: 'No payout yet',
    noneHint: 'One is made each morning at 06:00 UTC from what was captured: advance the clock.',
    next: 'Waiting for the next payout', lines: 'Lines', kind: 'What', payment: 'Payment',
    refund: 'Refund', dispute: 'Dispute', dispute_reversal: 'Dispute won', method: 'Method', fee: 'Fee', when: 'Cleared',
    figures: 'Figures', count: 'Count', payments: 'Payments', refunds: 'Refunds',
    disputes: 'Disputes', total: 'Transferred', card: 'Card', sepa: 'Direct debit',
    id: 'Identifier', details: 'Details', created: 'Made', bankDay: 'At your bank',
    currency: 'Currency', fail: 'Fail this payout',
    failHint: 'As when your bank sends the transfer back: its lines join the next payout.',
    failNow: 'Let it fail', failed: 'The payout has failed: its lines join the next one.',
    noLines: 'Its lines have gone on to another payout',
  },
  {
    payouts: 'Virements', payout: 'Virement', day: 'Jour', reference: 'Référence',
    amount: 'Montant', fees: 'Frais', vat: 'TVA', status: 'Statut', none: 'Aucun virement',
    noneHint: 'Il est fait chaque matin à 06:00 UTC de ce qui a été capturé : avancez l’horloge.',
    next: 'En attente du prochain virement', lines: 'Lignes', kind: 'Quoi', payment: 'Paiement',
    refund: 'Remboursement', dispute: 'Contestation',
    dispute_reversal: 'Contestation gagnée', method: 'Moyen', fee: 'Frais',
    when: 'Réglé', figures: 'Chiffres', count: 'Nombre', payments: 'Paiements',
    refunds: 'Remboursements', disputes: 'Contestations', total: 'Viré', card: 'Carte',
    sepa: 'Prélèvement', id: 'Identifiant', details: 'Détails', created: 'Fait',
    bankDay: 'À votre banque', currency: 'Devise', fail: 'Faire échouer',
    failHint: 'Comme si votre banque rejetait le virement : ses lignes rejoignent le suivant.',
    failNow: 'Le faire échouer', failed: 'Le virement a échoué : ses lignes rejoignent le suivant.',
    noLines: 'Ses lignes sont passées à un autre virement',
  },
);

export type PayoutWords = ReturnType<typeof payoutWords>;
