import type { Dictionary } from '../en';

export const reconciliation: Dictionary['reconciliation'] = {
  title: 'Rapprochement',
  none: 'Aucun écart : toutes les lignes concordent.',
  lead:
    'Écarts entre le grand livre et les lignes de versement du prestataire, avec la valeur ' +
    'de chaque côté.',
  exception: 'Écart',
  kind: 'Type',
  kinds: {
    missing: 'Ligne de versement manquante',
    unknown: 'Ligne absente du grand livre',
    amount: 'Écart de montant',
    currency: 'Écart de devise',
    duplicate: 'Doublon',
    fee: 'Écart de frais',
    late: 'Versement en retard',
  },
  states: { open: 'Ouverts', closed: 'Clôturés' },
  evidence: 'Éléments comparés',
  lines: {
    payment: 'Paiement',
    refund: 'Remboursement',
    dispute: 'Contestation',
    dispute_reversal: 'Contestation gagnée',
    payout: 'Versement',
  },
  ours: 'Grand livre :',
  theirs: 'Prestataire :',
  noEntry: 'aucune écriture',
  thisLine: 'cette ligne',
  closedBy: (who) => `Clôturé par ${who}`,
  autoResolved: 'Résolu automatiquement',
  keptBack: (balance) =>
    `Le solde du compte prestataire est de ${balance} : le prestataire retient les versements ` +
    'tant que ce solde est négatif.',
  sinceFrom: 'À partir du',
  sinceTo: 'Jusqu’au',
  age: 'Ancienneté',
};

export const payoutLines: Dictionary['payoutLines'] = {
  title: 'Lignes',
  line: 'Ligne',
  fee: 'Frais',
  matchedTo: 'Concordante avec',
  notInLedger: 'Aucune écriture au grand livre',
  accepted: 'Ligne acceptée',
  exceptions: 'Écarts',
  agrees: 'Concordante',
  differing: 'Écarts seulement',
  none: 'Aucune ligne lue.',
  noneDiffers: 'Aucun écart.',
  ofFigures: 'Les totaux du versement diffèrent de ses lignes ou du grand livre',
};
