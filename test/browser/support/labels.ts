export type Language = 'en' | 'fr';

/** A text of the console in both languages, as a person reads it on a page. */
type Text = Readonly<Record<Language, string>>;

const nbsp = '\u00A0';

/** The console texts that the specs of operators' tasks search for. */
export const TEXTS = {
  cases: { en: 'Cases', fr: 'Dossiers' },
  merchants: { en: 'Merchants', fr: 'Marchands' },
  search: {
    en: 'Search by id, reference, amount, last four …',
    fr: 'Identifiant, référence, montant, 4 derniers chiffres',
  },
  reason: { en: 'Reason', fr: 'Motif' },
  runPreview: { en: 'Preview', fr: 'Prévisualiser' },
  preview: { en: 'Preview', fr: 'Aperçu' },
  requestApproval: { en: 'Request approval', fr: 'Demander l’approbation' },
  needsSecond: { en: 'A second person must approve', fr: 'Une seconde personne doit approuver' },
  approve: { en: 'Approve', fr: 'Approuver' },
  approveAndRun: { en: 'Approve and run', fr: 'Approuver et exécuter' },
  isDone: { en: 'The action is done.', fr: 'L’action est terminée.' },
  close: { en: 'Close', fr: 'Fermer' },
  caseIsClosed: { en: 'This case is closed', fr: 'Ce dossier est clos' },
  break: { en: 'Reconciliation break', fr: 'Écart de rapprochement' },
  evidence: { en: 'Evidence', fr: 'Éléments comparés' },
  noEntry: { en: 'no entry', fr: 'aucune écriture' },
  closeBreak: {
    en: 'Close reconciliation break',
    fr: 'Clôturer l’écart de rapprochement',
  },
  registration: { en: 'Registration', fr: 'Inscription' },
  isMissing: { en: 'Missing', fr: 'Manquant' },
  signed: { en: 'Contract signed by the merchant', fr: 'Contrat signé par le marchand' },
  available: { en: 'Available', fr: 'Disponible' },
  openForOrders: { en: 'Done Open for orders', fr: 'Fait Ouvert aux commandes' },
  unpaidRefund: {
    en: 'Refund not paid to the payer',
    fr: 'Remboursement non reçu par le payeur',
  },
  notMade: { en: 'Not made by the provider', fr: 'Non effectué par le prestataire' },
  refundMeans: { en: 'A refund was requested, and', fr: 'Un remboursement a été demandé et' },
  reissue: { en: 'Reissue refund', fr: 'Réémettre le remboursement' },
  accepted: { en: 'Accepted, not paid yet', fr: 'Accepté, pas encore reçu' },
  reissued: { en: 'Reissued, not paid yet', fr: 'Réémis, pas encore reçu' },
  outage: {
    en: 'Provider outage: 50 failed requests',
    fr: `Panne du prestataire${nbsp}: 50 requêtes en échec`,
  },
  ofIncident: { en: 'Cases of the incident', fr: 'Dossiers de l’incident' },
  retryAll: {
    en: 'Retry all requests of incident',
    fr: 'Tout relancer (requêtes de l’incident)',
  },
  outageOfTwo: {
    en: 'Provider outage: 2 failed requests',
    fr: `Panne du prestataire${nbsp}: 2 requêtes en échec`,
  },
  outageOfThree: {
    en: 'Provider outage: 3 failed requests',
    fr: `Panne du prestataire${nbsp}: 3 requêtes en échec`,
  },
  selectedRows: { en: 'Selected rows', fr: 'Lignes sélectionnées' },
  selectAll: { en: 'Select all loaded rows', fr: 'Sélectionner toutes les lignes chargées' },
  readForFive: {
    en: 'Read the results of 5 failed requests',
    fr: 'Interroger le prestataire pour 5 requêtes en échec',
  },
  mismatch: { en: 'Status mismatch', fr: 'Écart de statut' },
  review: {
    en: 'Mark status mismatches as reviewed',
    fr: 'Marquer les écarts de statut comme examinés',
  },
  reviewed: { en: 'Reviewed: the payment intent is', fr: `Examiné${nbsp}: ` },
  sentWebhooks: { en: 'Sent webhooks', fr: 'Webhooks envoyés' },
  redeliver: { en: 'Redeliver webhooks', fr: 'Renvoyer les webhooks' },
  sendTwo: {
    en: 'Send 2 webhooks to hooks.example now.',
    fr: 'Envoyer maintenant 2 webhooks à hooks.example.',
  },
  run: { en: 'Run', fr: 'Exécuter' },
  readForAll: {
    en: 'Read the results of 50 failed requests',
    fr: 'Interroger le prestataire pour 50 requêtes en échec',
  },
} as const satisfies Readonly<Record<string, Text>>;

const escaped = (text: string): string =>
  text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s/g, '\\s');

/** Matches exactly this text in the language. Every space matches any kind of space. */
export const whole = (name: keyof typeof TEXTS, language: Language): RegExp =>
  new RegExp(`^${escaped(TEXTS[name][language])}$`);

/** Matches texts that begin with this text in the language. */
export const begins = (name: keyof typeof TEXTS, language: Language): RegExp =>
  new RegExp(`^${escaped(TEXTS[name][language])}`);

/** Matches the name of the button to approve an action of this name. */
export const approvalOf = (name: keyof typeof TEXTS, language: Language): RegExp =>
  new RegExp(`^${escaped(TEXTS.approve[language])}\\s?: ${escaped(TEXTS[name][language])}`);

/** Matches an amount such as `42.50`, with the decimal separator of either language. */
export const amount = (text: string): RegExp => new RegExp(text.replace('.', '[.,]'));
