import type { Dictionary } from '../en';

export const actions: Dictionary['actions'] = {
  column: 'Actions',
  kinds: {
    capture: 'Capturer',
    cancel: 'Annuler la commande',
    refund: 'Rembourser',
    reissue_refund: 'Refaire le remboursement',
    give_up_refund: 'Renoncer au remboursement',
    settle_call: 'Régler l’appel',
    refresh: 'Rafraîchir',
    retry_call: 'Réessayer',
    retry_reaction: 'Réessayer la réaction',
    discard_reaction: 'Abandonner la réaction',
    close_exception: 'Clore',
    rebuild_projection: 'Reconstruire',
    poll_history: 'Relire l’historique',
    poll_account: 'Relire les versements',
    reprocess_webhook: 'Retraiter',
    create_api_key: 'Nouvelle clé d’API',
    create_user: 'Nouvel utilisateur',
    change_role: 'Changer le rôle',
    enable_user: 'Réactiver l’utilisateur',
    reset_password: 'Nouveau mot de passe',
    change_limit: 'Changer la limite quotidienne',
    switch_account: 'Utiliser pour les commandes',
    disable_account: 'Désactiver le compte',
    withdraw_account: 'Retirer le compte',
  },
  inRow: {
    retry_reaction: 'Réessayer',
    discard_reaction: 'Abandonner',
    disable_account: 'Désactiver',
    withdraw_account: 'Retirer',
  },
  leads: {
    capture: 'Demande au prestataire de capturer le montant autorisé.',
    cancel: 'Demande la fin de la commande. Son paiement est annulé d’abord, s’il peut l’être.',
    refund: 'Rend de l’argent au payeur.',
    reissue_refund:
      'Demande à nouveau le même montant, à la place du remboursement qui n’a pas été fait.',
    give_up_refund: 'Le payeur n’est pas remboursé, et plus rien ne le rappelle.',
    settle_call: 'Lit le prestataire, et consigne ce qu’il montre de l’appel.',
    refresh: 'Lit le paiement chez le prestataire maintenant, et prend ce qu’il montre.',
    retry_call: 'Laisse refaire l’appel. Le prestataire est lu d’abord.',
    retry_reaction:
      'Le workflow réagit maintenant à ce qui a échoué, puis à ce qui attend derrière.',
    discard_reaction:
      'Le workflow n’y réagira jamais : une capture, une annulation ou un compte rendu qui en ' +
      'résulterait n’a pas lieu. Ce qui attend derrière est réessayé.',
    close_exception: 'Dit que l’écart est expliqué et ne demande rien de plus.',
    rebuild_projection: 'Refait la liste depuis le journal. Elle se lit pendant ce temps.',
    poll_history: 'Relit les états des marchands à partir de ce jour.',
    poll_account: 'Relit les versements de ce compte.',
    reprocess_webhook: 'Reprend le webhook. Ce qui est déjà su ne change rien.',
    switch_account:
      'Les nouvelles commandes du marchand sont payées sur ce compte, après le délai de réflexion. ' +
      'Les plus anciennes gardent le leur.',
    disable_account:
      'Aucune nouvelle commande n’utilise ce compte, et aucun autre ne prend sa place. Les commandes ' +
      'en cours vont à leur terme.',
    withdraw_account:
      'Les commandes n’utiliseront pas ce compte. Elles continuent d’utiliser l’actuel.',
  },
  secretWaits: 'Cela prend effet quand un second administrateur l’a approuvé, sous Approbations.',
  second: 'De l’argent en dépend : une seconde personne doit l’approuver d’abord.',
  secondRecords:
    'Aucun argent ne bouge, mais ce qui en est consigné est décidé : une seconde personne doit ' +
    'l’approuver.',
  dryRun: 'Voir ce qui se passerait',
  ask: 'Demander l’approbation',
  doIt: 'Le faire',
  idle: 'Cela ne changerait rien : il n’y a rien à demander.',
  preview: 'Ce qui se passerait',
  events: (count) =>
    count === 0
      ? 'Aucun événement ne serait écrit.'
      : `${count} ${count > 1 ? 'événements seraient écrits' : 'événement serait écrit'} :`,
  follows: 'Ensuite, sans que personne ne le demande :',
  calls: (count) =>
    count === 0
      ? 'Le prestataire ne serait pas appelé.'
      : `${count} ${count > 1 ? 'appels' : 'appel'} au prestataire :`,
  money: 'Montant',
  amount: (currency) => `Montant en ${currency}`,
  amountHint: 'Vide : tout ce qui reste.',
  amountWrong: 'Donnez un montant au-dessus de zéro, ou aucun pour tout ce qui reste.',
  of: 'sur',
  fromDay: 'À partir de ce jour',
  refundIsOthers: 'Un remboursement pareil fut fait par un autre : faire aussi le nôtre',
  debitIsOthers:
    'Le prélèvement perdu par une restauration est d’une autre commande : faire aussi celui-ci',
  statuses: {
    pending: 'Attend l’approbation',
    executing: 'En cours',
    done: 'Fait',
    failed: 'Échoué',
    rejected: 'Rejeté',
    expired: 'Expiré',
  },
  waitsForSecond:
    'Rien n’est encore fait. Une autre personne le trouve sous Approbations, un jour durant.',
  ended: {
    executing: 'C’est en cours.',
    done: 'C’est fait.',
    failed: 'Cela n’a pu être fait.',
    rejected: 'Ce fut rejeté.',
    expired: 'Personne ne l’a approuvé à temps.',
  },
  passedOn: 'Transmis',
  passedOnLead: 'C’est transmis pour être fait. Ce qu’il en advient se montre à mesure.',
  settled: {
    made: 'Le prestataire a fait l’appel, et c’est consigné.',
    not_made: 'Le remboursement est consigné comme non envoyé. Le payeur n’a pas été remboursé.',
    others: 'Ce qui s’y trouve est d’un autre. Le nôtre est fait.',
    forgotten:
      'Le prestataire n’a pas cette intention : l’appel prend fin sans elle, et c’est consigné.',
  },
  toApprovals: 'Vers les approbations',
};

export const approvals: Dictionary['approvals'] = {
  title: 'Approbations',
  none: 'Personne n’a rien demandé.',
  lead: 'Ce qui fut demandé. Ce dont de l’argent dépend attend une seconde personne.',
  approve: 'Approuver',
  approveDo: 'Approuver, et le faire',
  reject: 'Rejeter',
  withdraw: 'Retirer',
  own: 'Une autre personne doit l’approuver.',
  askedBy: 'Demandé par',
  decision: 'Décision',
  decided: (name) => `par ${name}`,
  asks: (name) => `${name} le demande parce que :`,
  leads: {
    reject: 'Cela ne sera pas fait. Qui l’a demandé voit votre motif.',
    withdraw: 'Cela ne sera pas fait.',
  },
};
