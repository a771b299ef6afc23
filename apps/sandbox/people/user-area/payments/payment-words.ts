import { words } from '../web/words.js';

/** What the pages of a payment and of an intent say. */
export const paymentWords = words(
  {
    payment: 'Payment', payments: 'Payments', details: 'Details', id: 'Identifier',
    intent: 'Payment intent', singleCall: 'None: made in a single call',
    description: 'Description', order: 'Order', uniqueId: 'Unique id', captureMode: 'Capture',
    auto: 'Automatic', manual: 'By hand', created: 'Date', authorized: 'Authorized',
    captured: 'Captured', response: 'Bank’s answer', customer: 'Customer', card: 'Card',
    number: 'Paid with', expiry: 'Expires', holder: 'Holder', country: 'Country',
    network: 'Network', sepa: 'Direct debit', mandate: 'Mandate', auth: 'Strong authentication',
    status: 'Status', expires: 'Session ends', settlement: 'Settlement', fee: 'Fee',
    payout: 'Payout', nextPayout: 'Waits for the next one', bankDay: 'At your bank',
    attempts: 'Attempts', refunds: 'Refunds', amount: 'Amount', disputes: 'Disputes',
    reason: 'Reason', events: 'Events and webhooks',
    interrupted: 'The payer left after the bank’s approval: the amount is held, and nothing ' +
      'captures it by itself. Capture it, or cancel to release it; after 7 days it expires.',
    awaitsCapture: 'The amount is held until you capture or cancel it; after 7 days it expires.',
    onPage: 'The bank has approved, and the payer is still on the page: it is captured by itself.',
    intents: 'Payment intents', pageLink: 'Open the payment page', methods: 'Methods',
    none: 'No payment intent yet', noneHint: 'POST /v2/payment_intents makes one.',
    noAttempts: 'Nobody has tried to pay it yet', cancel: 'Cancel',
    cancelHint: 'The payer can no longer pay it. This cannot be undone.',
    cancelNow: 'Cancel the payment intent', canceled: 'Canceled: nothing will be debited.',
    capturedNow: 'The capture is asked for: it is sent at the next cut-off.',
    refundedNow: 'The refund is made: it is sent at the next cut-off.',
    disputedNow: 'The dispute is open: its amount is taken back in the next payout.',
    badAmount: 'Write the amount as 12.50.', returnUrl: 'Return address', all: 'All',
    filter: 'Filter',
  },
  {
    payment: 'Paiement', payments: 'Paiements', details: 'Détails', id: 'Identifiant',
    intent: 'Intention', singleCall: 'Aucune : fait en un seul appel',
    description: 'Description', order: 'Commande', uniqueId: 'Identifiant unique',
    captureMode: 'Capture', auto: 'Automatique', manual: 'Manuelle', created: 'Date',
    authorized: 'Autorisé', captured: 'Capturé', response: 'Réponse de la banque',
    customer: 'Client', card: 'Carte', number: 'Payé par', expiry: 'Expire', holder: 'Titulaire',
    country: 'Pays', network: 'Réseau', sepa: 'Prélèvement', mandate: 'Mandat',
    auth: 'Authentification forte', status: 'Statut', expires: 'Fin de session',
    settlement: 'Règlement', fee: 'Frais', payout: 'Virement',
    nextPayout: 'Attend le prochain', bankDay: 'À votre banque', attempts: 'Tentatives',
    refunds: 'Remboursements', amount: 'Montant', disputes: 'Contestations', reason: 'Motif',
    events: 'Événements et webhooks',
    interrupted: 'Le payeur est parti après l’accord de la banque : le montant est réservé, et ' +
      'rien ne le capture. Capturez-le, ou annulez ; il expire après 7 jours.',
    awaitsCapture: 'Le montant est réservé jusqu’à la capture ou l’annulation ; il expire après ' +
      '7 jours.',
    onPage: 'La banque a accepté, et le payeur est encore sur la page : la capture se fera seule.',
    intents: 'Intentions', pageLink: 'Ouvrir la page de paiement', methods: 'Moyens',
    none: 'Aucune intention', noneHint: 'POST /v2/payment_intents en crée une.',
    noAttempts: 'Personne n’a encore tenté de la payer', cancel: 'Annuler',
    cancelHint: 'Le payeur ne peut plus la régler. C’est définitif.',
    cancelNow: 'Annuler l’intention', canceled: 'Annulé : rien ne sera débité.',
    capturedNow: 'La capture est demandée : elle part à la prochaine heure limite.',
    refundedNow: 'Le remboursement est fait : il part à la prochaine heure limite.',
    disputedNow: 'La contestation est ouverte : son montant est repris au prochain virement.',
    badAmount: 'Écrivez le montant comme 12,50.', returnUrl: 'Adresse de retour', all: 'Toutes',
    filter: 'Filtrer',
  },
);

export type PaymentWords = ReturnType<typeof paymentWords>;
