import type { Dictionary } from '../en';

export const reconciliation: Dictionary['reconciliation'] = {
  title: 'Rapprochement',
  none: 'Chaque ligne s’accorde : il n’y a pas d’écart.',
  lead: 'Les lignes qui ne s’accordent pas, avec ce que dit chaque côté.',
  exception: 'Écart',
  kind: 'Genre',
  kinds: {
    missing: 'Manquante', unknown: 'Inconnue', amount: 'Autre montant', currency: 'Autre monnaie',
    duplicate: 'En double', fee: 'Autres frais', late: 'En retard',
  },
  states: { open: 'Ouverts', closed: 'Clos' },
  evidence: 'Preuve',
  lines: {
    payment: 'Paiement', refund: 'Remboursement', dispute: 'Contestation',
    dispute_reversal: 'Contestation gagnée', payout: 'Versement',
  },
  ours: 'Chez nous :',
  theirs: 'Prestataire :',
  closedBy: (who) => `Clos par ${who}`,
  facts: 'des faits ultérieurs',
  keptBack: (balance) =>
    `Le compte est à ${balance} : le prestataire ne verse rien avant que ce soit comblé.`,
  age: 'Depuis',
};

export const payoutLines: Dictionary['payoutLines'] = {
  title: 'Lignes',
  line: 'Ligne',
  fee: 'Frais',
  matchedTo: 'Rapprochée de',
  notInLedger: 'Rien dans nos livres',
  exceptions: 'Écarts',
  agrees: 'S’accorde',
  differing: 'Seulement celles qui diffèrent',
  none: 'Aucune ligne n’est encore lue.',
  noneDiffers: 'Aucune ligne ne diffère.',
  ofFigures: 'Les chiffres mêmes du versement diffèrent',
};

export const merchants: Dictionary['merchants'] = {
  title: 'Marchands',
  lead:
    'Du brouillon à la disponibilité : qui en est où, et ce qui manque. Un marchand dont le ' +
    'compte fut inscrit avec sa clé n’est pas passé par ici, et n’est pas montré.',
  view: 'Comment les montrer',
  board: 'Tableau',
  list: 'Liste',
  all: 'Tous les voir',
  none: 'Aucun marchand n’est encore ébauché.',
  openForOrders: 'prend des commandes',
  orders: 'Prend des commandes',
  mode: 'Mode',
  company: 'Société chez le prestataire',
  drafted: 'Ébauché',
  missing: 'Manque :',
  refusedFor: 'Refusé pour :',
  more: (count) => `et ${count} de plus`,
  requirements: {
    'company.legalForm': 'forme juridique',
    'company.registrationNumber': 'numéro d’immatriculation',
    'company.legalName': 'dénomination',
    'company.registeredOn': 'date d’immatriculation',
    'company.website': 'site web',
    'company.address': 'adresse du siège',
    'company.activity.code': 'code d’activité',
    'company.passiveNonFinancialEntity': 'type d’entité',
    contact: 'contact',
    'payoutAccount.iban': 'IBAN',
    products: 'produits',
    owners: 'bénéficiaires',
    representatives: 'représentants',
    signature: 'signature',
    'documents.registration_extract': 'extrait d’immatriculation',
    'documents.bank_account_proof': 'justificatif du compte bancaire',
    'documents.identity_card': 'pièce d’identité',
  },
  statuses: {
    draft: 'Brouillon', requested: 'Demandé', rejected: 'Rejeté', incomplete: 'Incomplet',
    in_review: 'En examen', validated: 'Validé', available: 'Disponible',
    closing: 'En fermeture', closed: 'Fermé',
  },
};
