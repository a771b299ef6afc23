import type { Dictionary } from '../en';

export const workflows: Dictionary['workflows'] = {
  checkout: 'Encaissement',
  onboarding: 'Inscription',
};

export const deadlines: Dictionary['deadlines'] = {
  'checkout.expiry': 'Expiration de la commande',
  'checkout.capture': 'Capture différée',
  'checkout.warning': 'Alerte d’expiration de l’autorisation',
  'onboarding.status_overdue': 'Alerte : statut de la société inchangé',
  'webhook.deliver': 'Envois de webhooks',
  'webhook.resume': 'Reprise des envois aux endpoints réactivés',
  'webhook.skip': 'Abandon des envois aux endpoints supprimés',
  'payment.read': 'Lecture du paiement',
  'merchant.company': 'Lecture de la société',
  'merchant.requirements': 'Lecture des éléments manquants de l’inscription',
  'merchant.terminals': 'Lecture des terminaux de paiement',
  'merchant.erase_details': 'Effacement des données du marchand',
  'account.payments': 'Lecture de la liste des paiements',
  'account.refunds': 'Lecture de la liste des remboursements',
  'account.disputes': 'Lecture de la liste des contestations',
  'account.payouts': 'Lecture de la liste des versements',
  'account.reconcile': 'Rapprochement',
  'payout.read': 'Lecture du versement',
  'payout.lines': 'Lecture des lignes du versement',
  'restore.payment':
    'Lecture du paiement chez le prestataire après une restauration de la base de données',
  'restore.debits':
    'Lecture de la liste des prélèvements chez le prestataire après une restauration de la base de ' +
    'données',
};

export const readModels: Dictionary['readModels'] = {
  ledger_streams: 'Grand livre',
  mandate_use: 'Utilisation des mandats',
  merchant_attention: 'Marchands nécessitant une action',
  merchant_list: 'Marchands',
  order_list: 'Commandes',
  payment_list: 'Paiements',
  payout_list: 'Versements',
};

export const queues: Dictionary['queues'] = {
  title: 'Files d’attente',
  lead:
    'Traitements en cours, réactions automatiques en échec, et modèles de lecture (les tables ' +
    'derrière les listes).',
  views: {
    state: 'État',
    failed: 'Réactions automatiques en échec',
    discarded: 'Réactions automatiques abandonnées',
    projections: 'Modèles de lecture',
  },
  readers: 'Destinations du journal d’événements',
  reader: 'Destination',
  readModel: (name) => `Modèle de lecture : ${name}`,
  consumers: {
    relay: 'Événements pour d’autres systèmes (Kafka)',
    webhooks: 'Webhooks vers les plateformes',
  },
  lag: 'Retard',
  moved: 'Dernière progression',
  upToDate: 'À jour',
  behind: (events, span) =>
    `${events} ${events === '1' ? 'événement' : 'événements'}, le plus ancien a ${span}`,
  open: 'Traitements en cours',
  what: 'Traitement',
  count: 'Nombre',
  oldest: 'Plus ancien',
  openStates: {
    ready: 'Requêtes au prestataire en file d’attente',
    calling: 'Requêtes au prestataire en cours',
    waiting: 'Requêtes au prestataire avec nouvelle tentative prévue',
    stuck: 'Requêtes au prestataire en échec',
    webhooks: 'Webhooks pas encore traités',
  },
  deadlines: 'Tâches planifiées',
  deadline: 'Tâche',
  overdue: 'En retard',
  waiting: 'Planifiées',
  next: 'Prochaine échéance',
  workflow: 'Workflow',
  stimulus: 'Déclencheur',
  eventOf: (entity, version) => `${entity}, événement ${version}`,
  deadlineOf: 'tâche planifiée',
  error: 'Erreur',
  errorDetails: 'Détail technique',
  attempts: 'Tentatives',
  failingSince: 'En échec depuis',
  blocked: 'Bloqué',
  retrying: 'En relance',
  nextRetry: (age) => `prochaine tentative ${age}`,
  queued: 'Événements et tâches planifiées en attente',
  failedNone: 'Aucune réaction automatique en échec.',
  discardedAt: 'Abandonnée le',
  discardedNone: 'Aucune réaction automatique abandonnée.',
  projection: 'Modèle de lecture',
  projectionsNone: 'Aucun modèle de lecture.',
  lastRebuild: 'Dernière reconstruction',
  neverRebuilt: 'Jamais',
  rebuilt: 'Reconstruit',
  failed: 'Échec',
  toRebuild: 'En file d’attente',
  rebuilding: 'En reconstruction',
  progress: (events, all) => `${events} événements sur environ ${all}`,
};

export const webhooks: Dictionary['webhooks'] = {
  title: 'Webhooks',
  none: 'Aucun webhook reçu.',
  noneRefused: 'Aucun webhook rejeté.',
  noneSent: 'Aucun webhook envoyé.',
  leadSent:
    'Événements envoyés aux endpoints webhook (adresses de réception) des plateformes, les plus récents ' +
    'd’abord, conservés 30 jours.',
  lead: 'Webhooks (notifications) reçus du prestataire et leurs résultats, les plus récents d’abord.',
  leadRefused:
    'Webhooks rejetés faute de signature valide. Notre réponse à l’expéditeur ne contenait pas ' +
    'le motif.',
  view: 'Affichage',
  accepted: 'Acceptés',
  refused: 'Rejetés',
  sent: 'Envoyés',
  created: 'Créé le',
  endpoint: 'Endpoint',
  sentStates: {
    pending: 'En attente',
    delivered: 'Remis',
    failed: 'En échec',
    skipped: 'Non envoyé',
  },
  attempts: 'Tentatives',
  lastResult: 'Dernière réponse',
  withStatus: (status) => `HTTP ${status}`,
  results: {
    ECONNREFUSED: 'Connexion refusée',
    ECONNRESET: 'Connexion perdue',
    ENOTFOUND: 'Serveur introuvable',
    connection_lost: 'Connexion perdue',
    no_public_address: 'Pas d’adresse publique',
    not_https: 'Pas en https',
    timeout: 'Pas de réponse à temps',
  },
  delivered: 'Rien à renvoyer : aucun des webhooks sélectionnés n’est en attente ni en échec.',
  ofSeveral: 'Sélectionnez les webhooks d’un seul endpoint pour les renvoyer.',
  tooMany: (most) =>
    `Sélectionnez au plus ${most} webhooks, ou renvoyez tous ceux de l’endpoint sur sa page.`,
  toSend: (count) => `${count} ${count > 1 ? 'webhooks' : 'webhook'}`,
  ofEndpoint: 'Webhooks envoyés',
  states: { open: 'Non traités', handled: 'Traités' },
  received: 'Reçu le',
  type: 'Type',
  event: 'Événement du prestataire',
  account: 'Compte prestataire',
  note: 'Résultat',
  handled: 'Traité',
  open: (tries) => (tries === 0 ? 'En attente' : `${tries} ${tries > 1 ? 'échecs' : 'échec'}`),
  bytes: 'Taille du message (octets)',
  sha: 'Empreinte SHA-256 du message',
};
