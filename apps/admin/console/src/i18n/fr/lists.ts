import type { Dictionary } from '../en';

export const lists: Dictionary['lists'] = {
  orders: {
    title: 'Commandes',
    none: 'Aucune commande n’a encore été passée.',
    lead: 'Ce que les plateformes ont demandé à être payées, les plus récentes d’abord.',
    order: 'Commande',
    payment: 'Paiement',
    placed: 'Passée',
    paid: 'Montant payé',
    refunded: (amount) => `Remboursé ${amount}`,
    takenBack: (amount) => `Repris ${amount}`,
  },
  orderStatus: {
    open: 'Ouverte', authorized: 'Autorisée', closing: 'En fermeture', paid: 'Payée',
    canceled: 'Annulée', expired: 'Expirée', failed: 'Échouée',
  },
  payments: {
    title: 'Paiements',
    none: 'Aucun paiement n’a encore commencé.',
    lead: 'Une intention chez le prestataire chacun, les plus récents d’abord.',
    captured: 'Montant capturé',
    capturedInPart: 'Capturé en partie',
    refunded: 'Remboursé',
    intent: 'Intention du prestataire',
    requested: 'Demandé',
    unknown: 'Issue inconnue',
    mismatched: 'Contredit',
    disputed: 'Contesté',
  },
  paymentStatus: {
    requested: 'Demandé', rejected: 'Rejeté', open: 'Ouvert', processing: 'En traitement',
    authorized: 'Autorisé', to_capture: 'Capture acceptée', capture_sent: 'En compensation',
    captured: 'Capturé', canceled: 'Annulé', expired: 'Expiré', returned: 'Retourné',
  },
  payouts: {
    title: 'Versements',
    none: 'Le prestataire n’a encore rien versé.',
    lead:
      'Ce que le prestataire verse aux marchands, et si chaque ligne s’accorde avec nos livres.',
    payout: 'Versement',
    reconciled: 'Lignes',
    linesNotRead: 'Pas encore lues',
    matched: (count) => `${count} ${count > 1 ? 's’accordent' : 's’accorde'}`,
    exceptions: (count) => `${count} ${count > 1 ? 'écarts' : 'écart'}`,
    see: 'Les voir',
    fees: 'Frais, TVA comprise',
    date: 'Date',
    atBank: 'À la banque',
  },
  payoutStatus: {
    pending: 'En attente', to_pay: 'À verser', sent: 'Envoyé', paid: 'Versé', failed: 'Échoué',
  },
};
