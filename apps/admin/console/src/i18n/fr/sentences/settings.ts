import type { EventOf, Sentences } from '../../../story/sentence';

const targetOf = (eventTypes: readonly string[], merchantId: string | null): string =>
  `${eventTypes.includes('*') ? 'tous les événements' : eventTypes.join(', ')} ` +
  `${merchantId === null ? 'de tous les marchands' : `du marchand ${merchantId}`}`;

const DISABLED = {
  requested: 'la plateforme l’a demandé',
  operator: 'un opérateur l’a désactivé',
  failing: 'aucun envoi n’a réussi pendant trois jours',
  unsubscribed: 'le destinataire a répondu qu’il n’existe plus',
} as const;

const MODES = { test: 'de test', live: 'de production' } as const;

export const settingsSentences: Sentences<EventOf<'account' | 'webhook_endpoint'>> = {
  ProviderAccountRegistered: ({ merchantId, mode, ordersFrom }, { moment, by }) =>
    `Compte prestataire ${MODES[mode]} du marchand ${merchantId} enregistré${by} : ` +
    (ordersFrom === null
      ? 'un administrateur doit demander son utilisation pour les nouvelles commandes, et un ' +
        'second administrateur doit l’approuver'
      : `les nouvelles commandes l’utilisent à partir du ${moment(ordersFrom)}`),
  ProviderAccountApproved: ({ ordersFrom }, { moment, by }) =>
    'Compte prestataire approuvé pour les nouvelles commandes à partir du ' +
    `${moment(ordersFrom)}${by}`,
  ProviderAccountDisabled: (_, { by }) =>
    `Compte prestataire désactivé pour les nouvelles commandes${by}`,
  ProviderAccountKeyRotated: (_, { by }) =>
    `Clé d’API remplacée par une autre clé du même compte prestataire${by}`,
  WebhookEndpointCreated: ({ host, eventTypes, merchantId }, { by }) =>
    `Endpoint webhook créé sur ${host} pour ${targetOf(eventTypes, merchantId)}${by}`,
  WebhookEndpointChanged: ({ host, eventTypes, merchantId }, { by }) =>
    `Endpoint webhook modifié : ${host} reçoit ${targetOf(eventTypes, merchantId)}${by}`,
  WebhookSecretRotated: ({ formerUntil }, { moment, by }) =>
    `Secret remplacé${by} ; les messages sont aussi signés avec l’ancien secret jusqu’au ` +
    moment(formerUntil),
  WebhookEndpointTested: (_, { by }) => `Événement de test envoyé à l’endpoint webhook${by}`,
  WebhookEndpointDisabled: ({ reason }) => `Endpoint webhook désactivé : ${DISABLED[reason]}`,
  WebhookEndpointEnabled: (_, { by }) => `Endpoint webhook réactivé${by}`,
  WebhookEndpointDeleted: (_, { by }) =>
    `Endpoint webhook supprimé avec son URL et son secret${by}`,
};
