import type { Dictionary } from '../en';
import { caseKinds } from './case-kinds';

export const cases: Dictionary['cases'] = {
  title: 'Dossiers',
  lead:
    'Tout ce qui nécessite une action, le plus urgent d’abord. Un dossier se ferme quand sa ' +
    'cause a disparu.',
  none: 'Aucun dossier ouvert : requêtes réussies, remboursements effectués, versements concordants.',
  kinds: caseKinds,
  refundParts: {
    failed: 'Tentatives épuisées',
    unknown: 'Résultat inconnu',
    not_made: 'Non effectué par le prestataire',
    dispute_won: 'Contestation gagnée, non remboursable',
    reissued: 'Réémis, pas encore reçu',
    retried: 'Relancé, pas encore accepté',
    accepted: 'Accepté, pas encore reçu',
  },
  kind: 'Nature',
  incident: 'Incident',
  case: 'Dossier',
  subject: 'Objet',
  atRisk: 'En jeu',
  since: 'Depuis',
  deadline: 'Échéance',
  actsNext: 'En attente de',
  acts: {
    operator: 'Opérateur',
    approver: 'Approbateur',
    platform: 'Plateforme',
    provider: 'Prestataire',
  },
  owner: 'Responsable',
  owners: { mine: 'Moi', none: 'Sans responsable' },
  noOwner: 'Aucun',
  snoozed: 'Veille',
  snoozes: { true: 'En veille seulement' },
  notSnoozed: 'Hors veille',
  open: 'Voir',
  showAll: 'Tout afficher',
  hide: 'Masquer',
  ofIncident: 'Dossiers de l’incident',
  more: (count) => `et ${count} de plus`,
  retryAll: 'Tout relancer',
  incidentOf: (title, account) => `${title}, ${account}`,
  atRiskOf: (amounts) => `${amounts} en jeu`,
  countOf: (count) => `${count} ${count > 1 ? 'dossiers' : 'dossier'}`,
  all: 'Tous les dossiers',
  closed: 'Ce dossier est clos, car sa cause a disparu. L’historique montre ce qui a été fait.',
  notFound: 'Ce dossier n’est pas ouvert',
  notFoundHint:
    'La cause du dossier a disparu. La page du paiement, de la commande ou du marchand ' +
    'concerné montre ce qui s’est passé.',
  playbook: 'Que faire',
  means: 'Ce que cela signifie',
  shows: 'Ce qui apparaît chez le prestataire',
  ends: 'Quand il prend fin',
  recommended: 'Recommandé',
  alternatives: 'Autres possibilités',
  recorded: 'Motif enregistré :',
  openSubject: 'Ouvrir l’objet concerné',
  awaitsApproval: 'Une action sur ce dossier attend l’approbation d’une seconde personne.',
  ownRequest: 'Vous avez demandé l’action en attente : une autre personne doit l’approuver.',
  steps: {
    review_mismatches:
      'Marquer les écarts de statut comme examinés, avec la réponse du prestataire comme ' +
      'motif, quand il ne reste rien à faire. Si un mouvement de fonds est nécessaire, le ' +
      'demander d’abord. Une seconde personne approuve, et le dossier prend fin.',
    pay_otherwise:
      'Demander au marchand de virer l’argent au payeur : le prestataire ne rembourse jamais un paiement ' +
      'contesté, même si la contestation est gagnée.',
    resolve_result:
      'Déterminer le résultat inconnu : le prestataire est interrogé, et la requête est enregistrée comme ' +
      'exécutée ou non exécutée.',
    reissue_refund:
      'Réémettre le remboursement : le prestataire ne l’a pas effectué et l’argent est dû au payeur.',
    abandon_refund:
      'Abandonner le remboursement, si rien n’est dû au payeur, p. ex. s’il a été payé autrement.',
    await_refund:
      'Attendre que le prestataire effectue le remboursement. En cas d’échec, ce dossier indique la ' +
      'suite.',
    refresh:
      'Actualiser depuis le prestataire : le statut du paiement est lu et enregistré ' +
      'maintenant.',
    retry_request:
      'Relancer la requête : le prestataire est d’abord interrogé, et ce qu’il a exécuté n’est pas renvoyé.',
    retry_requests:
      'Tout relancer (requêtes de l’incident), quand le prestataire répond de nouveau : un aperçu et une ' +
      'approbation. Ce que le prestataire a exécuté n’est pas renvoyé.',
    retry_refund:
      'Relancer la requête : le remboursement est d’abord recherché chez le prestataire, et n’est pas ' +
      'renvoyé s’il a peut-être déjà été envoyé. S’il n’apparaît pas chez le prestataire : Déterminer le ' +
      'résultat inconnu, puis Réémettre le remboursement.',
    retry_refunds:
      'Tout relancer (requêtes de l’incident), quand le prestataire répond de nouveau : un aperçu et une ' +
      'approbation. Les remboursements sont d’abord recherchés chez le prestataire, et ceux qui ont ' +
      'peut-être déjà été envoyés ne sont pas renvoyés. Pour chacun de ceux qui n’apparaissent pas chez le ' +
      'prestataire : Déterminer le résultat inconnu, puis Réémettre le remboursement.',
    capture: 'Capturer, si la marchandise a été ou sera livrée.',
    ask_platform_capture:
      'Demander à la plateforme de capturer ou d’annuler la commande avant l’échéance.',
    await_retry:
      'Attendre la prochaine tentative. Si le prestataire rejette la clé d’API enregistrée, ' +
      'demander à la plateforme d’enregistrer de nouveau le compte prestataire avec une clé ' +
      'valide (POST /v1/provider-accounts). Pour tout autre rejet répété, interroger le ' +
      'prestataire.',
    await_result:
      'Attendre la prochaine lecture chez le prestataire, qui peut montrer le résultat.',
    compare:
      'Comparer les deux valeurs dans la chronologie et demander au prestataire laquelle est ' +
      'juste.',
    close_exception:
      'Clôturer l’écart de rapprochement quand il est expliqué, avec l’explication comme motif.',
    accept_line:
      'Accepter la ligne du prestataire si elle est exacte : le contrat confirme les frais, ou le ' +
      'marchand le paiement.',
    read_evidence:
      'Comparer les lignes du versement au grand livre, et demander au prestataire d’expliquer l’écart.',
    retry_reaction:
      'Relancer la réaction automatique une fois la cause corrigée, p. ex. par une nouvelle version.',
    discard_reaction:
      'Files d’attente, Réactions automatiques en échec : Abandonner, si les captures, ' +
      'annulations ou notifications prévues ne doivent pas avoir lieu. C’est définitif.',
    upgrade:
      'Demander à l’équipe technique de mettre à jour tous les serveurs de l’application ' +
      'vers la version la plus récente.',
    complete_registration:
      'Demander à la plateforme de compléter l’inscription : la page du marchand, dans cette ' +
      'console, montre ce qui manque.',
    ask_provider: 'Demander au prestataire pourquoi l’examen de la société dure si longtemps.',
    repair_endpoint:
      'Demander à la plateforme de réparer son endpoint. Les événements attendent, puis sont envoyés ' +
      'dans l’ordre.',
    redeliver_webhooks:
      'Renvoyer les webhooks, quand la plateforme a réparé l’endpoint : ceux en attente sont envoyés ' +
      'maintenant.',
    enable_endpoint: 'Activer l’endpoint webhook quand la plateforme l’a réparé.',
    keep_disabled:
      'L’endpoint a été désactivé automatiquement. Si la plateforme n’en a plus besoin, choisir Désactiver ' +
      'l’endpoint webhook : il reste désactivé, et le dossier prend fin.',
    disable_endpoint: 'Désactiver l’endpoint webhook, si la plateforme n’en a plus besoin.',
  },
  take: 'Me l’attribuer',
  selected: (cases) => (cases > 1 ? `${cases} dossiers` : `${cases} dossier`),
  tooManySelected: (most) =>
    `Pour vous attribuer ou mettre en veille plusieurs dossiers, sélectionnez-en au plus ${most}.`,
  skipped: (count) =>
    count > 1
      ? `${count} dossiers ont un autre responsable et n’ont pas été attribués.`
      : `${count} dossier a un autre responsable et n’a pas été attribué.`,
  staleIncidents: (count) =>
    count > 1
      ? `${count} incidents sélectionnés ont changé ou pris fin entre-temps : aucun de leurs dossiers n’a été modifié.`
      : `${count} incident sélectionné a changé ou pris fin entre-temps : aucun de ses dossiers n’a été modifié.`,
  refused: (count) =>
    count > 1
      ? `${count} dossiers n’ont pas pu être modifiés :`
      : `${count} dossier n’a pas pu être modifié :`,
  release: 'Ne plus être responsable',
  ownedBy: (name) => `Responsable : ${name}`,
  snooze: 'Mettre en veille',
  wake: 'Afficher de nouveau',
  wakeLead: 'La liste affiche de nouveau le dossier dès maintenant.',
  snoozeLead:
    'La liste masque le dossier pendant la durée choisie. L’échéance du dossier ne change pas.',
  snoozeFor: 'Masquer pendant',
  days: (count) => `${count} ${count > 1 ? 'jours' : 'jour'}`,
  snoozedUntil: 'En veille jusqu’au',
  comment: 'Commentaire',
  commentHint: 'Conservé définitivement. N’indiquez aucune donnée personnelle.',
  addComment: 'Ajouter le commentaire',
  history: 'Historique',
  noHistory: 'Rien n’a encore été fait pour ce dossier.',
  notesOfSubject: 'Historique des dossiers',
  deeds: {
    taken: 'est devenu responsable du dossier',
    released: 'n’est plus responsable du dossier',
    comment: 'a commenté',
    snoozed: 'a mis le dossier en veille',
    woken: 'a mis fin à la veille',
    'action.requested': 'a demandé',
    'action.approved': 'a approuvé',
    'action.rejected': 'a rejeté',
    'action.done': 'Fait :',
    'action.failed': 'Échec :',
  },
};
