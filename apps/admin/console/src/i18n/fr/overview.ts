import type { Dictionary } from '../en';

export const overview: Dictionary['overview'] = {
  title: 'Vue d’ensemble',
  lead: 'Dossiers ouverts, commandes et état de la connexion au prestataire.',
  attention: 'Nécessite une action',
  toCases: 'Dossiers ouverts et marche à suivre',
  openCases: (count, atRisk) =>
    `${count} ${count === '0' || count === '1' ? 'dossier ouvert' : 'dossiers ouverts'}` +
    (atRisk === '' ? '' : ` · ${atRisk} en jeu`),
  approvals: 'Approbations en attente de décision',
  orders: 'Commandes',
  ordersHint: '24 dernières heures, par statut',
  ordersSentence: (count) =>
    `${count} ${count > 1 ? 'commandes passées' : 'commande passée'} ces 24 dernières heures, ` +
    'par heure et par statut.',
  oldest: 'Plus anciennes commandes ouvertes',
  oldestNone: 'Aucune commande ouverte.',
  relay: 'Événements pour d’autres systèmes (Kafka)',
  relayHint: 'publication du journal d’événements',
  relayUpToDate: 'À jour',
  relayBehind: (events, span) =>
    `Retard : ${events} ${events === '1' ? 'événement' : 'événements'}, le plus ancien a ${span}`,
  moreRoutes: (count) =>
    count > 1
      ? `et ${count} autres types de requête, avec moins d’échecs`
      : `et ${count} autre type de requête, avec moins d’échecs`,
  ordersNone: 'Aucune commande passée.',
  provider: 'Prestataire',
  providerHint: 'requêtes des 15 dernières minutes',
  providerNone: 'Aucune requête ces 15 dernières minutes.',
  route: 'Requête',
  calls: 'Nombre',
  failures: 'Échecs',
  refused: 'Rejets',
  p95: '95 % des réponses en moins de',
  exceptionsByAge: 'Écarts de rapprochement ouverts par ancienneté en jours',
  watermarks: 'Dernier jour lu chez le prestataire',
  watermarkKinds: { history: 'historique des statuts', reconciliation: 'rapprochement' },
  watermarksHint: 'pour les données que le prestataire n’envoie pas par webhook',
};
