import type { Dictionary } from '../en';

export const reconciliation: Dictionary['reconciliation'] = {
  title: 'Rapprochement',
  none: 'Aucun écart : toutes les lignes sont rapprochées.',
  lead: 'Écarts entre le grand livre et les lignes du prestataire, avec leurs éléments.',
  exception: 'Écart',
  kind: 'Type',
  kinds: {
    missing: 'Manquante',
    unknown: 'Absente du grand livre',
    amount: 'Écart de montant',
    currency: 'Écart de devise',
    duplicate: 'Doublon',
    fee: 'Écart de frais',
    late: 'En retard',
  },
  states: { open: 'Ouverts', closed: 'Clôturés' },
  evidence: 'Éléments',
  lines: {
    payment: 'Paiement',
    refund: 'Remboursement',
    dispute: 'Contestation',
    dispute_reversal: 'Contestation gagnée',
    payout: 'Versement',
  },
  ours: 'Grand livre :',
  theirs: 'Prestataire :',
  closedBy: (who) => `Clôturé par ${who}`,
  autoResolved: 'Résolu automatiquement',
  keptBack: (balance) =>
    `Le solde du compte est de ${balance} : le prestataire retient les versements jusqu’à son ` +
    'apurement.',
  age: 'Ancienneté',
};

export const payoutLines: Dictionary['payoutLines'] = {
  title: 'Lignes',
  line: 'Ligne',
  fee: 'Frais',
  matchedTo: 'Rapprochée de',
  notInLedger: 'Aucune écriture',
  exceptions: 'Écarts',
  agrees: 'Rapprochée',
  differing: 'Écarts seulement',
  none: 'Aucune ligne lue.',
  noneDiffers: 'Aucun écart.',
  ofFigures: 'Les totaux du versement ne concordent pas',
};
