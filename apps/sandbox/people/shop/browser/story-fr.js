/** The French title and text of each event. */
export const FRENCH = {
  OrderPlaced: { title: 'Commande passée', text: 'La boutique demande le paiement.' },
  OrderPaymentStarted: {
    title: 'Paiement commencé',
    text: 'Un paiement a été créé pour la commande.',
  },
  IntentRequested: {
    title: 'Page de paiement demandée',
    text: 'La demande est envoyée au prestataire de paiement.',
  },
  IntentCreated: { title: 'Page de paiement prête', text: 'Le payeur peut payer.' },
  IntentRejected: {
    title: 'Page de paiement rejetée',
    text: 'Le prestataire a rejeté la requête.',
  },
  AttemptRefused: {
    title: 'Tentative refusée',
    text: 'La banque a refusé. Le payeur peut réessayer.',
  },
  PaymentAuthorized: { title: 'Paiement autorisé', text: 'La banque réserve le montant.' },
  DirectDebitAccepted: { title: 'Prélèvement accepté', text: 'Le mandat a été signé.' },
  PaymentPageCompleted: {
    title: 'Page de paiement terminée',
    text: 'Le payeur a terminé la page de paiement.',
  },
  OrderAuthorized: { title: 'Commande autorisée', text: 'Le payeur n’a plus rien à faire.' },
  AuthorizationExpiring: {
    title: 'Expiration prochaine de l’autorisation',
    text: 'La capture doit avoir lieu avant l’expiration.',
  },
  AuthorizationClosed: {
    title: 'Reste de l’autorisation libéré',
    text: 'Rien de plus ne peut être capturé.',
  },
  CaptureRequested: {
    title: 'Capture demandée',
    text: 'Selon la règle de capture de la commande.',
  },
  CaptureAccepted: { title: 'Capture acceptée', text: 'L’argent va être transféré.' },
  CaptureRejected: { title: 'Capture rejetée', text: 'Le prestataire a rejeté la requête.' },
  OrderPaid: { title: 'Commande payée', text: 'La boutique peut livrer.' },
  CaptureSent: { title: 'Envoyé en compensation', text: 'L’argent est en route.' },
  PaymentCaptured: { title: 'Argent reçu', text: 'L’argent a été crédité au marchand.' },
  CancelRequested: {
    title: 'Annulation demandée',
    text: 'La demande est envoyée au prestataire de paiement.',
  },
  PaymentCanceled: { title: 'Paiement annulé', text: 'Rien ne sera débité.' },
  AuthorizationExpired: {
    title: 'Autorisation expirée',
    text: 'La capture n’a pas eu lieu à temps.',
  },
  DirectDebitReturned: {
    title: 'Prélèvement retourné',
    text: 'La banque du payeur a retourné le prélèvement.',
  },
  DebitRequested: {
    title: 'Prélèvement sur mandat demandé',
    text: 'Le prélèvement utilise un mandat signé, en l’absence du payeur.',
  },
  DebitRejected: {
    title: 'Prélèvement sur mandat rejeté',
    text: 'Le prestataire a rejeté la requête.',
  },
  RefundQueued: {
    title: 'Remboursement programmé après la compensation du paiement',
    text: 'Le remboursement sera demandé après la compensation du paiement.',
  },
  RefundRequested: {
    title: 'Remboursement demandé',
    text: 'La demande est envoyée au prestataire de paiement.',
  },
  RefundRejected: { title: 'Remboursement rejeté', text: 'Le prestataire a rejeté la requête.' },
  RefundAbandoned: { title: 'Remboursement abandonné', text: 'Le payeur n’est pas remboursé.' },
  RefundObserved: {
    title: 'Remboursement accepté par le prestataire',
    text: 'Le remboursement est envoyé à la prochaine heure limite.',
  },
  RefundSent: {
    title: 'Remboursement envoyé en compensation',
    text: 'L’argent est sur le chemin du retour.',
  },
  RefundSucceeded: { title: 'Remboursement terminé', text: 'Le payeur a reçu l’argent.' },
  RefundFailed: { title: 'Échec du remboursement', text: 'Le payeur n’a pas été remboursé.' },
  DisputeObserved: {
    title: 'Contesté par le payeur',
    text: 'Le montant et des frais sont déduits.',
  },
  DisputeStatusChanged: {
    title: 'Statut de la contestation modifié',
    text: 'Le prestataire indique un nouveau statut.',
  },
  DisputeReversed: {
    title: 'Contestation gagnée',
    text: 'Le montant est restitué, pas les frais.',
  },
  RequestResultUnknown: {
    title: 'Résultat inconnu',
    text: 'Le prestataire n’a pas répondu. Le statut est vérifié régulièrement.',
  },
  RequestResultResolved: {
    title: 'Résultat déterminé',
    text: 'Le résultat de la requête est maintenant connu.',
  },
  PaymentMismatchObserved: { title: 'Écart de statut', text: 'Un opérateur va examiner l’écart.' },
  PaymentMismatchesReviewed: {
    title: 'Écarts de statut examinés',
    text: 'Des opérateurs ont examiné l’écart.',
  },
  OrderCancellationRequested: {
    title: 'Annulation de la commande demandée',
    text: 'La commande est en cours d’annulation.',
  },
  OrderExpiryReached: {
    title: 'Délai de paiement de la commande écoulé',
    text: 'La commande est en cours d’expiration.',
  },
  OrderCaptured: {
    title: 'Nouvelle capture partielle',
    text: 'Une autre capture du même paiement.',
  },
  OrderCaptureCorrected: {
    title: 'Montant d’une capture modifié par le prestataire',
    text: 'Le prestataire a capturé un autre montant.',
  },
  OrderCanceled: { title: 'Commande annulée', text: 'Rien n’a été débité.' },
  OrderExpired: { title: 'Commande expirée', text: 'La commande n’a pas été payée à temps.' },
  OrderRefunded: { title: 'Commande remboursée', text: 'En totalité ou en partie.' },
  OrderChargedBack: { title: 'Impayé sur la commande', text: 'Le payeur a contesté le paiement.' },
  OrderDisputeWon: {
    title: 'Contestation de la commande gagnée',
    text: 'La banque du payeur restitue le montant.',
  },
  OrderDebitReturned: {
    title: 'Prélèvement de la commande retourné',
    text: 'La banque du payeur a retourné le prélèvement.',
  },
  OrderPaymentVoided: {
    title: 'Paiement de la commande annulé',
    text: 'Le paiement a été annulé chez le prestataire avant la compensation.',
  },
  OrderFailed: { title: 'Échec de la commande', text: 'La commande ne peut pas être payée.' },
};
