import { words } from '../web/words.js';

/** What the page of faults says. */
export const faultWords = words(
  {
    title: 'Faults', lead: 'What real networks do now and then, on demand. In memory: a restart ' +
      'of the sandbox forgets them. They meet both modes.',
    waiting: 'Waiting', none: 'No fault is waiting', whom: 'Meets', kind: 'What happens',
    left: 'Still', rate: 'Rate', seed: 'Seed', met: 'Met', endless: 'until cleared',
    clear: 'Clear', clearAll: 'Clear all', forCalls: 'For API calls', forWebhooks: 'For webhooks',
    add: 'Add the fault', route: 'Route',
    routeHint: 'e.g. POST /v2/payment_intents/:id/refund, or * for every call',
    event: 'Event', every: 'every one', count: 'How many',
    countHint: 'Empty: one, or with a rate no end', rateHint: '0.25 is every fourth; empty: each', seedHint: 'The same seed makes the same choices',
    callDelay: 'ms of real time, for a delay',
    webhookDelay: 'ms on the sandbox’s clock, for a delay',
    delay: 'Wait', delayWebhook: 'Delayed', drop_before: 'Dropped before it is done',
    drop_after: 'Done, and the answer dropped', half_answer: 'Done, and half an answer',
    reset: 'Connection reset', status_500: '500 instead', status_502_html: '502 with HTML instead',
    status_429: '429 with Retry-After instead', lose: 'Lost', double: 'Doubled',
    reorder: 'Reordered', added: 'The fault is waiting.', cleared: 'Cleared.',
  },
  {
    title: 'Pannes', lead: 'Ce que les vrais réseaux font parfois, à la demande. En mémoire : un ' +
      'redémarrage du bac à sable les oublie. Elles touchent les deux modes.',
    waiting: 'En attente', none: 'Aucune panne en attente', whom: 'Touche', kind: 'Ce qui arrive',
    left: 'Encore', rate: 'Taux', seed: 'Graine', met: 'Touchés', endless: 'sans fin',
    clear: 'Effacer', clearAll: 'Tout effacer', forCalls: 'Pour les appels',
    forWebhooks: 'Pour les webhooks', add: 'Ajouter la panne', route: 'Route',
    routeHint: 'p. ex. POST /v2/payment_intents/:id/refund, ou * pour tout appel', event: 'Événement',
    every: 'tous', count: 'Combien', countHint: 'Vide : un, ou avec un taux sans fin',
    rateHint: '0,25 : un sur quatre ; vide : chacun',
    seedHint: 'La même graine fait les mêmes choix',
    callDelay: 'ms en temps réel, pour une attente',
    webhookDelay: 'ms de l’horloge du bac à sable, pour un retard', delay: 'Attente',
    delayWebhook: 'Retardé', drop_before: 'Coupé avant d’être fait',
    drop_after: 'Fait, et la réponse coupée', half_answer: 'Fait, et une demi-réponse',
    reset: 'Connexion réinitialisée', status_500: '500 à la place',
    status_502_html: '502 en HTML à la place', status_429: '429 avec Retry-After à la place',
    lose: 'Perdu', double: 'Doublé', reorder: 'Désordonné', added: 'La panne est en attente.',
    cleared: 'Effacé.',
  },
);

export type FaultWords = ReturnType<typeof faultWords>;
