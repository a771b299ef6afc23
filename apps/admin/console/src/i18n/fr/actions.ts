import type { Dictionary } from '../en';

export const actions: Dictionary['actions'] = {
  column: 'Actions',
  kinds: {
    capture: 'Capturer',
    cancel: 'Annuler la commande',
    refund: 'Rembourser',
    reissue_refund: 'Réémettre le remboursement',
    abandon_refund: 'Abandonner le remboursement',
    resolve_result: 'Résoudre le résultat inconnu',
    refresh: 'Actualiser',
    retry_request: 'Relancer la requête',
    retry_reaction: 'Relancer la réaction',
    discard_reaction: 'Ignorer la réaction',
    close_exception: 'Clôturer l’écart',
    rebuild_projection: 'Reconstruire',
    poll_history: 'Relire l’historique des statuts',
    poll_account: 'Relire les versements',
    reprocess_webhook: 'Retraiter',
    create_api_key: 'Créer une clé d’API',
    create_user: 'Créer un utilisateur',
    change_role: 'Changer le rôle',
    enable_user: 'Activer l’utilisateur',
    reset_password: 'Réinitialiser le mot de passe',
    change_limit: 'Modifier la limite quotidienne',
    switch_account: 'Utiliser pour les commandes',
    disable_account: 'Désactiver le compte',
    withdraw_account: 'Retirer le compte',
  },
  inRow: {
    retry_request: 'Relancer',
    retry_reaction: 'Relancer',
    discard_reaction: 'Ignorer',
    close_exception: 'Clôturer',
    poll_account: 'Relire',
    disable_account: 'Désactiver',
    withdraw_account: 'Retirer',
  },
  leads: {
    capture: 'Demande au prestataire la capture du montant autorisé.',
    cancel: 'Demande l’annulation de la commande. Son paiement est d’abord annulé, si possible.',
    refund: 'Demande un remboursement au payeur.',
    reissue_refund:
      'Demande un nouveau remboursement du même montant pour remplacer celui en échec.',
    abandon_refund:
      'Clôt le remboursement en échec sans le remplacer. Le payeur n’est pas remboursé.',
    resolve_result: 'Lit le paiement chez le prestataire et enregistre le résultat de la requête.',
    refresh: 'Lit le paiement chez le prestataire et enregistre son statut.',
    retry_request:
      'Remet la requête en file d’attente. Le prestataire est lu avant l’envoi de la requête.',
    retry_reaction:
      'Relance l’étape du workflow en échec, puis les déclencheurs en attente derrière elle.',
    discard_reaction:
      'Ignore définitivement ce déclencheur : les captures, annulations ou signalements qui en ' +
      'résulteraient n’ont pas lieu. Les déclencheurs en attente derrière lui sont relancés.',
    close_exception: 'Enregistre que l’écart est expliqué et n’appelle aucune autre action.',
    rebuild_projection:
      'Reconstruit le modèle de lecture depuis le journal. Il reste lisible entre-temps.',
    poll_history:
      'Relit chez le prestataire l’historique des statuts des marchands à partir de ce jour.',
    poll_account: 'Relit chez le prestataire les versements de ce compte.',
    reprocess_webhook: 'Retraite le webhook. Les états déjà enregistrés ne changent pas.',
    switch_account:
      'Les nouvelles commandes du marchand utilisent ce compte prestataire après le délai de ' +
      'sécurité. Les commandes existantes gardent leur compte.',
    disable_account:
      'Les nouvelles commandes ne peuvent plus utiliser ce compte prestataire, et aucun autre ne ' +
      'le remplace. Les commandes existantes sont menées à terme.',
    withdraw_account: 'Retire la demande. Les commandes gardent le compte prestataire actuel.',
  },
  second: 'Cette action engage de l’argent : une seconde personne doit l’approuver.',
  secretWaits: 'L’accès prend effet dès qu’un second administrateur l’approuve (Approbations).',
  secondRecords:
    'Cette action ne déplace pas d’argent mais modifie les enregistrements : une seconde ' +
    'personne doit l’approuver.',
  runPreview: 'Prévisualiser',
  requestApproval: 'Demander l’approbation',
  run: 'Exécuter',
  noEffect: 'Cette action ne changerait rien.',
  preview: 'Aperçu',
  events: (count) =>
    count === 0
      ? 'Aucun événement ne serait enregistré.'
      : `${count} ${count > 1 ? 'événements enregistrés' : 'événement enregistré'} :`,
  follows: 'Actions consécutives :',
  calls: (count) =>
    count === 0
      ? 'Aucune requête ne serait envoyée au prestataire.'
      : `${count} ${count > 1 ? 'requêtes' : 'requête'} au prestataire :`,
  money: 'Montant',
  amount: (currency) => `Montant en ${currency}`,
  amountHint: 'Laissez vide pour la totalité du montant restant.',
  amountWrong:
    'Saisissez un montant supérieur à zéro, ou laissez vide pour la totalité du montant restant.',
  of: 'sur',
  fromDay: 'À partir du',
  refundIsOthers:
    'Le remboursement chez le prestataire a été fait par un tiers : effectuer aussi celui-ci',
  debitIsOthers:
    'Le prélèvement perdu à la restauration concerne une autre commande : effectuer aussi celui-ci',
  statuses: {
    pending: 'En attente d’approbation',
    executing: 'En cours',
    done: 'Terminé',
    failed: 'Échoué',
    rejected: 'Rejeté',
    expired: 'Expiré',
  },
  waitsForSecond: 'Une seconde personne doit l’approuver sous Approbations, dans la journée.',
  ended: {
    executing: 'L’action est en cours.',
    done: 'L’action est terminée.',
    failed: 'L’action a échoué.',
    rejected: 'L’action a été rejetée.',
    expired: 'Le délai d’approbation a expiré.',
  },
  passedOn: 'En file d’attente',
  passedOnLead: 'Un worker exécute l’action. La page affiche le résultat.',
  resolved: {
    made: 'Le prestataire a exécuté la requête. Le résultat est enregistré.',
    not_made: 'Le remboursement est enregistré comme non effectué. Le payeur n’est pas remboursé.',
    others: 'Le remboursement chez le prestataire est celui d’un tiers. La requête est envoyée.',
    forgotten: 'Le prestataire n’a pas l’intention. La requête est enregistrée comme terminée.',
  },
  toApprovals: 'Voir les approbations',
};

export const approvals: Dictionary['approvals'] = {
  title: 'Approbations',
  none: 'Aucune demande d’action.',
  lead:
    'Demandes d’action. Celles qui engagent de l’argent nécessitent l’approbation d’une seconde ' +
    'personne.',
  approve: 'Approuver',
  approveDo: 'Approuver et exécuter',
  reject: 'Rejeter',
  withdraw: 'Retirer',
  own: 'Nécessite l’approbation d’une autre personne.',
  askedBy: 'Demandé par',
  decision: 'Décision',
  decided: (name) => `par ${name}`,
  reasonOf: (name, reason) => `Motif indiqué par ${name} : « ${reason} »`,
  leads: {
    reject: 'L’action ne sera pas exécutée. Le demandeur voit votre motif.',
    withdraw: 'L’action ne sera pas exécutée.',
  },
};
