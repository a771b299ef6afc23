import type { Dictionary } from '../en';

export const entity: Dictionary['entity'] = {
  types: {
    order: 'Commande', payment: 'Paiement', payout: 'Versement', merchant: 'Marchand',
    account: 'Compte du prestataire',
  },
  lists: {
    order: 'Commandes', payment: 'Paiements', payout: 'Versements', merchant: 'Marchands',
    account: 'Comptes du prestataire',
  },
  facts: {
    amountMinor: 'Montant', reference: 'Référence', orderId: 'Commande', paymentId: 'Paiement',
    merchantId: 'Marchand', platformId: 'Plateforme', accountId: 'Compte du prestataire',
    intentId: 'Intention du prestataire', method: 'Moyen', policy: 'Capture', feesMinor: 'Frais',
    feesVatMinor: 'TVA sur les frais', date: 'Date', dateBank: 'À la banque',
  },
  timeline: 'Chronologie',
  timelineLead: 'Tout ce que l’on sait, dans l’ordre du temps métier.',
  newestFirst: 'Le plus récent d’abord',
  kinds: {
    event: 'Événements', job: 'Appels demandés', call: 'Appels au prestataire',
    webhook: 'Webhooks', saga: 'Workflow', deadline: 'À venir', audit: 'Personnes',
  },
  kind: {
    event: 'événement', job: 'appel demandé au prestataire', call: 'échange avec le prestataire',
    webhook: 'webhook', saga: 'workflow', deadline: 'échéance à venir',
    audit: 'fait par une personne',
  },
  showKinds: 'Montrer',
  state: 'Situation',
  stateNow: (version) => `Maintenant, après ${version} ${version > 1 ? 'événements' : 'événement'}`,
  stateThen: (version, all) => `Après l’événement ${version} sur ${all}`,
  travel: 'Telle qu’après l’événement',
  backToNow: 'Revenir à maintenant',
  earlier: 'Un événement en arrière',
  later: 'Un événement en avant',
  was: 'était',
  showStateHere: 'La situation après cet événement',
  notYet: 'n’avait pas encore eu lieu',
  by: 'par',
  notFound: 'Cela n’existe pas',
  notFoundHint: 'Vérifiez l’identifiant, ou cherchez une référence.',
  moreOfTheSame: (count) => `… et ${count} de plus, sans incident`,
  raw: 'Tel que consigné',
  recorded: 'Consigné, à l’heure réelle :',
  waiting: 'Ce que l’on attend',
  waitingNothing:
    'Rien : aucun appel n’est ouvert, aucune réaction n’est en échec et aucune échéance n’est à venir.',
  captures: 'Captures',
  captureStatuses: {
    requested: 'Demandée', accepted: 'Acceptée', sent: 'En compensation', captured: 'Capturée',
    failed: 'Non capturée',
  },
  refundNotMade: 'Remboursement non fait',
  payerNotRefunded: (amount) => `Le payeur n’a pas été remboursé de ${amount}.`,
  requested: 'demandé',
  tries: (count) => `${count} ${count > 1 ? 'essais' : 'essai'}`,
  jobStates: {
    ready: 'attend son tour', calling: 'en cours d’appel', waiting: 'sera réessayé',
    stuck: 'bloqué : une personne doit décider', done: 'fait',
  },
};
