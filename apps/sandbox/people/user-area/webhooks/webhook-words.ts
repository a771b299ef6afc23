import { words } from '../web/words.js';

/** What the pages of webhook endpoints and of events say. */
export const webhookWords = words(
  {
    webhooks: 'Webhooks', endpoint: 'Webhook endpoint', address: 'Address', status: 'Status',
    created: 'Date', none: 'No webhook endpoint yet',
    noneHint: 'POST /v2/webhooks with an https address makes one.',
    deliveries: 'Deliveries', noDeliveries: 'Nothing was sent to it yet', id: 'Identifier',
    details: 'Details', events: 'Events', event: 'Event', type: 'Type', all: 'All types',
    filter: 'Show', noEvents: 'No event yet', object: 'Object', body: 'What is sent',
    replayTo: 'Replay to an endpoint', replay: 'Replay', to: 'Endpoint',
    replayed: 'Replayed: the same event leaves again at once.', delivered: 'Delivered',
    waiting: 'Waiting', failed: 'Given up or lost',
  },
  {
    webhooks: 'Webhooks', endpoint: 'Point de réception', address: 'Adresse', status: 'Statut',
    created: 'Date', none: 'Aucun point de réception',
    noneHint: 'POST /v2/webhooks avec une adresse https en crée un.',
    deliveries: 'Livraisons', noDeliveries: 'Rien ne lui a encore été envoyé',
    id: 'Identifiant', details: 'Détails', events: 'Événements', event: 'Événement',
    type: 'Type', all: 'Tous les types', filter: 'Afficher', noEvents: 'Aucun événement',
    object: 'Objet', body: 'Ce qui est envoyé', replayTo: 'Rejouer vers un point de réception',
    replay: 'Rejouer', to: 'Point de réception',
    replayed: 'Rejoué : le même événement repart aussitôt.', delivered: 'Livrées',
    waiting: 'En attente', failed: 'Abandonnées ou perdues',
  },
);
