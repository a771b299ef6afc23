import type { Dictionary } from '../en';

const counted = (one: string, several: string) => (count: number) =>
  `${count} ${count > 1 ? several : one}`;

export const money: Dictionary['money'] = {
  title: 'Flux financiers',
  lead: 'Volumes et taux d’une période, et fonds à venir, par devise.',
  period: 'Période',
  periods: { '1': 'Aujourd’hui', '7': '7 derniers jours', '30': '30 derniers jours' },
  mode: 'Mode',
  modes: { live: 'Production', test: 'Test' },
  usualMode: 'Production, sinon test',
  none: 'Aucun flux sur cette période.',
  volume: 'Volume',
  authorized: 'Autorisé',
  captured: 'Capturé',
  refunded: 'Remboursé',
  chargedBack: 'Impayés',
  payments: counted('paiement', 'paiements'),
  captures: counted('capture', 'captures'),
  refunds: counted('remboursement', 'remboursements'),
  disputes: counted('contestation', 'contestations'),
  rates: {
    authorization: 'Taux d’autorisation',
    capture: 'Taux de capture',
    refund: 'Taux de remboursement',
    dispute: 'Taux de contestation',
  },
  rateHints: {
    authorization: (count) =>
      `${count} ${count > 1 ? 'refusés, jamais autorisés' : 'refusé, jamais autorisé'}`,
    capture: (amount) => `${amount} non capturés`,
    refund: 'remboursements ÷ captures de la période',
    dispute: 'contestations ÷ captures de la période',
  },
  byDay: 'Par jour',
  dayText: (day, captured, refunded, chargedBack) =>
    `${day} : capturé ${captured}, remboursé ${refunded}, impayés ${chargedBack}`,
  mostOfDay: (amount) => `Jour le plus élevé : ${amount}`,
  declines: 'Refus par motif',
  declinesHint: 'paiements, selon leur dernier refus',
  declinesNone: 'Aucun refus sur cette période.',
  onItsWay: 'À venir',
  lapsing: 'Autorisations bientôt expirées',
  lapsingHint: (day) => `échéance d’ici au ${day}, sans capture`,
  soonest: (time) => `La première expire le ${time}`,
  uncaptured: (count, amount) =>
    `${count} ${count > 1 ? 'autorisations non capturées' : 'autorisation non capturée'}, ` +
    `au total ${amount}`,
  toPayOut: 'À verser',
  toPayOutHint: 'capturé, pas encore versé, avant TVA sur les frais',
  match: 'Versements concordants',
  matchHint: (matched, reconciled) =>
    `${matched} ${matched > 1 ? 'versements' : 'versement'} sur ${reconciled} sans écart`,
  matchNone: 'Aucun versement rapproché sur la période',
  breaks: 'Écarts de rapprochement ouverts',
  breaksHint: (amount) => `${amount} au total, par ancienneté`,
  breaksNone: 'Aucun',
  days: (min, max) =>
    max === null ? `plus de ${min - 1} jours` : `${min} à ${max} ${max > 1 ? 'jours' : 'jour'}`,
};

export const ledger: Dictionary['ledger'] = {
  title: 'Grand livre',
  views: { balances: 'Soldes', entries: 'Écritures', statement: 'Relevé' },
  view: 'Affichage',
  leads: {
    balances: 'Soldes du grand livre en partie double, actuels ou à la fin d’un jour.',
    entries: 'Écritures comptabilisées, les plus récentes d’abord.',
    statement: 'Évolution du solde d’un marchand chez le prestataire sur un mois.',
  },
  asOf: 'À la date du',
  trialBalance: 'Balance générale',
  trialHint: 'sommes de tous les comptes prestataire',
  sum: 'Somme',
  balanced: 'Équilibrée',
  unbalanced: 'Le grand livre n’est pas équilibré',
  unbalancedHint: (currency, amount) =>
    `${currency} : la somme est de ${amount} au lieu de zéro. ` +
    'Sous Files d’attente, Modèles de lecture, reconstruisez « Grand livre » (bouton Reconstruire), puis ' +
    'comparez à nouveau.',
  accounts: {
    payer: 'Payé par les payeurs (−)',
    provider: 'Dû par le prestataire',
    merchant: 'Versé',
    fees: 'Frais',
    vat: 'TVA',
    disputes: 'Contestations',
  },
  account: 'Compte prestataire',
  providerAccounts: 'Comptes',
  none: 'Aucune écriture.',
  entry: 'Écriture',
  entries: {
    payment: 'Paiement',
    refund: 'Remboursement',
    dispute: 'Contestation',
    dispute_reversal: 'Contestation gagnée',
    payout: 'Versement',
    payout_failed: 'Versement en échec',
    payment_correction: 'Correction de paiement',
    refund_correction: 'Correction de remboursement',
    dispute_correction: 'Correction de contestation',
    dispute_reversal_correction: 'Correction de contestation gagnée',
  },
  booked: 'Comptabilisé le',
  object: 'Paiement ou versement',
  fees: 'Frais',
  vat: 'TVA',
  net: 'Net',
  month: 'Mois',
  liveFirst: 'Production, sinon test',
  chooseMerchant: 'Saisissez un marchand pour afficher son relevé.',
  noLines: 'Aucune écriture ce mois-ci.',
  lines: 'Lignes',
  final: 'Définitif',
  notFinal: 'Peut encore changer',
  steps: {
    opening: 'Solde initial',
    payments: 'Paiements',
    refunds: 'Remboursements',
    disputes: 'Contestations',
    disputeReversals: 'Contestations gagnées',
    fees: 'Frais',
    vat: 'TVA',
    payouts: 'Versements',
    failedPayouts: 'Versements en échec',
    corrections: 'Corrections',
    closing: 'Solde final',
  },
};

export const payoutMoney: Dictionary['payoutMoney'] = {
  title: 'Du brut au net',
  gross: 'Brut',
  fees: 'Frais',
  vat: 'TVA',
  refunds: 'Remboursements',
  chargebacks: 'Impayés',
  other: 'Autre',
  otherNote: 'non expliqué par les totaux',
  net: 'Net',
};
