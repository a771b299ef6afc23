import type { Dictionary } from '../en';

export const caseKinds: Dictionary['cases']['kinds'] = {
  unpaid_refund: {
    one: 'Remboursement non reçu par le payeur',
    several: 'Remboursements non reçus par les payeurs',
    many: (count) => `${count} remboursements non reçus par les payeurs`,
    means:
      'Un remboursement a été demandé et le payeur n’a pas l’argent. Soit la requête a échoué, soit son ' +
      'résultat est inconnu, soit le prestataire n’a pas effectué le remboursement.',
    shows:
      'Les remboursements de l’intention de paiement. Celui du montant demandé qui manque encore ' +
      'dans nos données peut être le remboursement que nous avons demandé.',
    ends:
      'Quand le payeur a l’argent, ou quand deux personnes décident, avec un motif, qu’aucun ' +
      'remboursement n’est dû. Ni une nouvelle demande de remboursement ni son acceptation par le ' +
      'prestataire ne met fin au dossier.',
  },
  failed_request: {
    one: 'Requête au prestataire en échec',
    several: 'Requêtes au prestataire en échec',
    many: (count, isOutage) =>
      isOutage
        ? `Panne du prestataire : ${count} requêtes en échec`
        : `${count} requêtes en échec, même cause`,
    means:
      'Une requête au prestataire a échoué jusqu’à épuisement des tentatives. Les requêtes suivantes du ' +
      'même paiement ou marchand attendent.',
    shows:
      'L’intention de paiement avec ses captures et remboursements. Une requête restée sans réponse a ' +
      'pu être exécutée.',
    ends: 'Quand la requête est exécutée ou que son résultat est enregistré.',
  },
  rejected_capture: {
    one: 'Capture rejetée',
    several: 'Captures rejetées',
    many: (count) => `${count} captures rejetées pour le même motif`,
    means: 'Le prestataire a rejeté une capture : le marchand n’est pas payé.',
    shows: 'L’autorisation, encore ouverte jusqu’à son échéance, et le motif du rejet.',
    ends: 'Quand une autre capture est demandée ou que le paiement prend fin.',
  },
  lapsing_authorization: {
    one: 'Autorisation bientôt expirée',
    several: 'Autorisations bientôt expirées',
    many: (count) => `${count} autorisations bientôt expirées`,
    means:
      'L’argent du payeur est autorisé et non capturé. Après l’échéance, il ne peut plus ' +
      'être capturé et le marchand n’est pas payé.',
    shows: 'L’autorisation avec son expiration, sans capture.',
    ends:
      'Quand le paiement est capturé ou annulé, ou quand son autorisation expire : le marchand n’est alors ' +
      'pas payé.',
  },
  unknown_result: {
    one: 'Résultat inconnu',
    several: 'Résultats inconnus',
    many: (count) => `${count} requêtes au résultat inconnu`,
    means:
      'Le prestataire n’a pas répondu à une requête : elle a pu être exécutée ou non. Le prestataire est ' +
      'réinterrogé à intervalles croissants.',
    shows: 'Rien encore qui prouve le résultat.',
    ends:
      'Quand une lecture montre le résultat. Si aucune lecture ne le montre, le dossier ' +
      'devient « Requête au prestataire en échec » : le résultat reste inconnu.',
  },
  mismatch: {
    one: 'Écart de statut',
    several: 'Écarts de statut',
    many: (count) => `${count} écarts de statut de même nature`,
    means:
      'Le prestataire indique une valeur qui contredit notre demande, ou ce qu’il indiquait auparavant.',
    shows:
      'Une valeur différente de la nôtre. La chronologie du paiement ou du ' +
      'marchand montre les deux valeurs.',
    ends: 'Quand deux personnes enregistrent l’examen, avec un motif. Un écart ultérieur rouvre le dossier.',
  },
  reconciliation_break: {
    one: 'Écart de rapprochement',
    several: 'Écarts de rapprochement',
    many: (count) => `${count} écarts de rapprochement de même nature`,
    means: 'Le grand livre et un versement du prestataire diffèrent.',
    shows:
      'Les lignes du versement, face aux écritures du grand livre auxquelles elles sont comparées.',
    ends: 'Quand des faits ultérieurs expliquent l’écart, ou que deux personnes le clôturent avec un motif.',
  },
  failed_reaction: {
    one: 'Réaction automatique en échec',
    several: 'Réactions automatiques en échec',
    many: (count) => `${count} réactions automatiques en échec avec la même erreur`,
    means:
      'Un workflow n’a pas pu réagir à un événement. Les captures, annulations ou notifications qui ' +
      'devaient suivre n’ont pas lieu, et les événements suivants de la même commande ou du même ' +
      'marchand attendent.',
    shows: 'Rien : l’échec vient de cette application.',
    ends: 'Quand la réaction réussit, ou que deux personnes l’abandonnent avec un motif.',
  },
  blocked_stream: {
    one: 'Flux d’événements bloqué',
    several: 'Flux d’événements bloqués',
    many: (count) => `${count} flux d’événements bloqués`,
    means:
      'Un serveur de cette application, de version antérieure, ne peut pas lire un événement ' +
      'd’une version plus récente. Jusqu’à sa mise à jour, les listes ou les événements ' +
      'publiés de l’objet concerné ne changent plus.',
    shows: 'Rien : la cause est dans cette application.',
    ends: 'Quand un serveur de la version récente a lu l’événement.',
  },
  silent_merchant: {
    one: 'Statut du marchand inchangé depuis trop longtemps',
    several: 'Statuts de marchands inchangés depuis trop longtemps',
    many: (count) => `${count} statuts de marchands inchangés depuis trop longtemps`,
    means:
      'L’inscription a le même statut depuis trop longtemps. Le marchand ne peut pas encaisser.',
    shows: 'Le statut de la société et les éléments manquants, à la dernière lecture.',
    ends: 'Quand le prestataire indique un autre statut.',
  },
  failing_endpoint: {
    one: 'Endpoint webhook en échec',
    several: 'Endpoints webhook en échec',
    many: (count) => `${count} endpoints webhook en échec`,
    means:
      'L’endpoint (adresse de réception) d’une plateforme n’accepte pas les événements. La plateforme ' +
      'n’est pas informée des paiements, et ses commandes risquent de ne pas être expédiées. Après ' +
      'trois jours sans succès, l’endpoint est désactivé.',
    shows: 'Rien : la panne vient du serveur de la plateforme.',
    ends: 'Quand un envoi réussit, ou qu’une personne désactive l’endpoint.',
  },
};
