import type { Dictionary } from '../en';

export const actions: Dictionary['actions'] = {
  column: 'Actions',
  kinds: {
    capture: 'Capturer',
    cancel: 'Annuler la commande',
    refund: 'Rembourser',
    reissue_refund: 'Réémettre le remboursement',
    abandon_refund: 'Abandonner le remboursement',
    review_mismatches: 'Marquer les écarts de statut comme examinés',
    resolve_result: 'Déterminer le résultat inconnu',
    refresh: 'Actualiser depuis le prestataire',
    retry_request: 'Relancer la requête',
    retry_requests: 'Tout relancer (requêtes de l’incident)',
    retry_reaction: 'Relancer la réaction automatique',
    discard_reaction: 'Abandonner la réaction automatique',
    close_exception: 'Clôturer l’écart de rapprochement',
    accept_line: 'Accepter la ligne du prestataire',
    rebuild_projection: 'Reconstruire le modèle de lecture',
    poll_history: 'Relire l’historique des statuts',
    poll_account: 'Relire les versements du compte',
    reprocess_webhook: 'Retraiter le webhook',
    create_api_key: 'Créer une clé d’API',
    create_user: 'Créer un utilisateur',
    change_access: 'Changer l’accès',
    change_role: 'Changer le rôle',
    enable_user: 'Activer l’utilisateur',
    reset_password: 'Réinitialiser le mot de passe',
    reset_second_factor: 'Réinitialiser le second facteur',
    register_identity: 'Associer la connexion unique',
    change_limit: 'Modifier la limite quotidienne',
    switch_account: 'Utiliser le compte prestataire pour les nouvelles commandes',
    disable_account: 'Désactiver le compte prestataire',
    withdraw_account: 'Retirer la demande de compte prestataire',
    disable_endpoint: 'Désactiver l’endpoint webhook',
    enable_endpoint: 'Activer l’endpoint webhook',
    redeliver_webhooks: 'Renvoyer les webhooks',
    create_endpoint: 'Créer un endpoint webhook',
  },
  inRow: {
    resolve_result: 'Déterminer le résultat',
    retry_request: 'Relancer',
    retry_requests: 'Tout relancer',
    retry_reaction: 'Relancer',
    discard_reaction: 'Abandonner',
    close_exception: 'Clôturer l’écart',
    accept_line: 'Accepter la ligne',
    poll_account: 'Relire',
    rebuild_projection: 'Reconstruire',
    reprocess_webhook: 'Retraiter',
    switch_account: 'Utiliser le compte',
    disable_account: 'Désactiver',
    withdraw_account: 'Retirer la demande',
    disable_endpoint: 'Désactiver',
    enable_endpoint: 'Activer',
    redeliver_webhooks: 'Renvoyer',
  },
  leads: {
    capture:
      'Demande au prestataire la capture du montant de l’aperçu. Une capture finale libère ' +
      'le reste de l’autorisation.',
    cancel:
      'Demande l’annulation de la commande. Son paiement est d’abord annulé. S’il ne peut plus ' +
      'l’être et qu’il est capturé, la commande passe au statut « Payée » : remboursez-la alors.',
    refund: 'Demande le remboursement du payeur.',
    reissue_refund:
      'Demande un nouveau remboursement du même montant pour remplacer celui qui a échoué.',
    abandon_refund:
      'Clôt le remboursement qui a échoué, sans le remplacer. Le payeur n’est pas remboursé.',
    review_mismatches:
      'Enregistre que les différences entre nos données et celles du prestataire ont été examinées. Rien ' +
      'd’autre ne change, et aucun mouvement de fonds n’a lieu. Le dossier de l’écart prend fin.',
    resolve_result: 'Lit le paiement chez le prestataire et enregistre le résultat de la requête.',
    refresh: 'Lit le paiement chez le prestataire et enregistre le statut constaté.',
    retry_request:
      'Remet la requête en file d’attente. Le prestataire est d’abord interrogé : une ' +
      'requête qu’il a déjà exécutée n’est pas renvoyée. Un remboursement peut-être déjà ' +
      'envoyé n’est pas renvoyé non plus : seul son résultat est lu. S’il n’apparaît pas ' +
      'chez le prestataire : Déterminer le résultat inconnu, puis Réémettre le remboursement.',
    retry_requests:
      'Remet en file d’attente toutes les requêtes en échec de l’incident. Le prestataire ' +
      'est d’abord interrogé : une requête qu’il a déjà exécutée n’est pas renvoyée. Un ' +
      'remboursement peut-être déjà envoyé n’est pas renvoyé non plus : seul son résultat ' +
      'est lu. S’il n’apparaît pas chez le prestataire : Déterminer le résultat inconnu, ' +
      'puis Réémettre le remboursement.',
    retry_reaction:
      'Relance le workflow pour l’événement ou la tâche planifiée en échec, puis pour les ' +
      'événements et tâches planifiées suivants en file d’attente.',
    discard_reaction:
      'Abandonne définitivement la réaction à cet événement ou à cette tâche planifiée : les ' +
      'captures, annulations ou notifications qui devaient en résulter n’ont pas lieu. Les ' +
      'événements et tâches planifiées suivants en file d’attente sont ensuite traités.',
    close_exception:
      'Enregistre que l’écart est expliqué et ne nécessite aucune autre action. Rien n’est comptabilisé.',
    accept_line:
      'Enregistre que la ligne du prestataire est exacte : le grand livre comptabilise la ' +
      'différence et correspond alors aux livres du prestataire, et le prochain rapprochement ' +
      'clôture l’écart.',
    rebuild_projection:
      'Reconstruit le modèle de lecture (table derrière les listes) à partir du journal ' +
      'd’événements. Jusqu’à la fin de la reconstruction, les listes affichent la table ' +
      'actuelle.',
    poll_history:
      'Relit chez le prestataire l’historique des statuts de tous les marchands de ce mode, à ' +
      'partir de ce jour.',
    poll_account:
      'Relit chez le prestataire les versements, remboursements et contestations de ce compte, ' +
      'et les rapproche.',
    reprocess_webhook:
      'Traite de nouveau le webhook : le paiement, le versement ou la société concernés sont lus ' +
      'maintenant chez le prestataire. Si leur état est déjà enregistré, rien ne change.',
    switch_account:
      'Les nouvelles commandes du marchand utilisent ce compte prestataire après le délai de ' +
      'sécurité. Les commandes existantes gardent leur compte.',
    disable_account:
      'Les nouvelles commandes ne peuvent plus utiliser ce compte prestataire, et aucun autre ne ' +
      'le remplace. Les commandes existantes sont menées à terme.',
    withdraw_account:
      'Retire la demande d’utiliser ce compte prestataire. Les commandes gardent le compte ' +
      'prestataire actuel.',
    disable_endpoint:
      'Les événements ne sont plus envoyés à cet endpoint, mais attendent. Ils sont envoyés ' +
      'si l’endpoint est réactivé à temps : chaque événement est supprimé après 30 jours par défaut.',
    enable_endpoint:
      'Les événements en attente sont envoyés, dans l’ordre pour une même commande ou un même paiement. ' +
      'Ceux en échec ne le sont pas : utilisez « Renvoyer les webhooks ».',
    redeliver_webhooks:
      'Envoie maintenant à l’endpoint les webhooks non remis, ceux d’une même commande ou d’un même ' +
      'paiement dans l’ordre. Chacun reçoit une nouvelle série de tentatives. La plateforme peut recevoir ' +
      'un événement deux fois.',
  },
  second: 'Cette action a un effet sur les fonds : une seconde personne doit l’approuver.',
  secretWaits:
    'Le mot de passe ou la clé ne fonctionne qu’après l’approbation de la demande par un ' +
    'second administrateur (Approbations).',
  secondRecords:
    'Cette action ne déplace pas de fonds mais modifie leur enregistrement : une seconde personne ' +
    'doit l’approuver.',
  runPreview: 'Prévisualiser',
  requestApproval: 'Demander l’approbation',
  run: 'Exécuter',
  noEffect: 'Cette action ne changerait rien.',
  preview: 'Aperçu',
  events: (count) =>
    count === 0
      ? 'Aucun événement ne serait enregistré.'
      : `${count} ${count > 1 ? 'événements seraient enregistrés' : 'événement serait enregistré'} :`,
  follows: 'Actions qui en découlent :',
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
    'À cocher seulement si un remboursement de ce montant chez le prestataire ne vient pas ' +
    'de cette requête : le nôtre est alors envoyé aussi, et le payeur reçoit les deux.',
  debitIsOthers:
    'À cocher seulement si le prélèvement trouvé chez le prestataire concerne une autre ' +
    'commande, perdue lors de la restauration de la base de données : celui de cette ' +
    'commande est alors envoyé aussi, et le payeur est prélevé pour les deux commandes.',
  statuses: {
    pending: 'En attente d’approbation',
    executing: 'En cours',
    done: 'Terminé',
    failed: 'Échec',
    rejected: 'Rejeté',
    expired: 'Expiré',
  },
  waitsForSecond:
    'Une seconde personne doit approuver l’action sous Approbations, dans les 24 heures.',
  ended: {
    executing: 'L’action est en cours.',
    done: 'L’action est terminée.',
    failed: 'L’action a échoué.',
    rejected: 'L’action a été rejetée.',
    expired: 'L’action n’a pas été approuvée à temps et n’est pas exécutée.',
  },
  passedOn: 'En file d’attente',
  passedOnLead:
    'L’action est exécutée en arrière-plan. La page du paiement, de la commande ou de ' +
    'l’objet concerné affichera le résultat.',
  resolved: {
    made: 'Le prestataire a exécuté la requête. Le résultat est enregistré.',
    not_made:
      'Le remboursement est enregistré comme non effectué : le payeur n’a pas été remboursé.',
    others:
      'L’opération trouvée chez le prestataire provient d’une autre requête. Notre requête est ' +
      'envoyée.',
    forgotten:
      'L’intention de paiement n’existe plus chez le prestataire. La requête est ' +
      'enregistrée comme terminée sans effet.',
  },
  toApprovals: 'Voir les approbations',
};

export const approvals: Dictionary['approvals'] = {
  title: 'Approbations',
  none: 'Aucune demande d’action.',
  lead:
    'Actions demandées par les utilisateurs. Celles qui ont un effet sur les fonds nécessitent ' +
    'l’approbation d’une seconde personne.',
  approve: 'Approuver',
  approveDo: 'Approuver et exécuter',
  reject: 'Rejeter',
  withdraw: 'Retirer la demande',
  own: 'Vous avez demandé cette action : une autre personne doit l’approuver.',
  askedBy: 'Demandé par',
  decision: 'Décision',
  decided: (name) => `par ${name}`,
  reasonOf: (name, reason) => `Motif indiqué par ${name} : « ${reason} »`,
  leads: {
    reject: 'L’action ne sera pas exécutée. Le demandeur voit votre motif.',
    withdraw: 'L’action ne sera pas exécutée.',
  },
};
