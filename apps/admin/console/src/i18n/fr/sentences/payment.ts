import type { EventOf, Sentences } from '../../../story/sentence';
import { payment } from '../payment';
import { mismatch, mismatchesReviewed } from './mismatch';

/** The names of provider requests, as they follow `la demande` and `le résultat`. */
const CALLS = {
  create_intent: [
    'de création de l’intention de paiement',
    'de la création de l’intention de paiement',
  ],
  debit_mandate: ['de prélèvement', 'du prélèvement'],
  capture: ['de capture', 'de la capture'],
  cancel: ['d’annulation', 'de l’annulation'],
  refund: ['de remboursement', 'du remboursement'],
} as const;

const withMethod = (method: string | null): string => (method === null ? '' : ` avec ${method}`);

const fromAccount = (method: string | null): string => (method === null ? '' : `, ${method}`);

export const paymentSentences: Sentences<EventOf<'payment'>> = {
  IntentRequested: (_, { total }) => `Paiement de ${total} demandé au prestataire`,
  IntentCreated: (_, { total }) => `Le prestataire a créé l’intention de paiement de ${total}`,
  IntentRejected: ({ reason }, say) =>
    `Le prestataire a rejeté l’intention de paiement : ${say.reason(reason)}`,
  PaymentPageCompleted: 'Le payeur a terminé la page de paiement',
  AttemptRefused: ({ methodDetails, responseCode }, { method, bank }) =>
    `Tentative${withMethod(method(methodDetails))} refusée : ${bank(responseCode)}`,
  DebitRequested: (_, { total }) => `Prélèvement sur mandat de ${total} demandé au prestataire`,
  DebitRejected: ({ reason }, say) =>
    `Le prestataire a rejeté le prélèvement sur mandat : ${say.reason(reason)}`,
  DirectDebitAccepted: ({ methodDetails }, { total, method }) =>
    `Le prestataire a accepté le prélèvement de ${total}${fromAccount(method(methodDetails))}`,
  DirectDebitReturned: ({ reasonCode }, { total, bank }) =>
    `La banque du payeur a retourné le prélèvement de ${total} : ${bank(reasonCode)}`,
  PaymentAuthorized: ({ methodDetails, expiresAt }, { total, method, moment }) =>
    `${total} autorisés${withMethod(method(methodDetails))} ; l’autorisation expire le ${moment(expiresAt)}`,
  AuthorizationExpiring: ({ expiresAt }, { total, moment }) =>
    `L’autorisation de ${total} n’est pas capturée et expire le ${moment(expiresAt)}`,
  AuthorizationExpired: (_, { total }) =>
    `L’autorisation de ${total} a expiré : aucun montant n’a été encaissé`,
  AuthorizationClosed: ({ releasedMinor }, { money }) =>
    releasedMinor === 0
      ? 'L’autorisation est terminée, il ne restait rien à libérer'
      : `${money(releasedMinor)} de l’autorisation libérés`,
  CaptureRequested: ({ amountMinor, captureId, isFinal }, { money, captureBy }) =>
    `Capture ${isFinal === true ? 'finale ' : ''}de ${money(amountMinor)} demandée` +
    captureBy(captureId),
  CaptureAccepted: ({ amountMinor }, { money }) =>
    `Le prestataire a accepté la capture de ${money(amountMinor)}`,
  CaptureSent: ({ amountMinor }, { money, total }) =>
    `Capture de ${amountMinor === undefined ? total : money(amountMinor)} envoyée en compensation`,
  CaptureRejected: ({ amountMinor, reason }, { money, reason: text }) =>
    `Le prestataire a rejeté la capture de ${money(amountMinor)} : ${text(reason)}`,
  PaymentCaptured: ({ amountMinor, captureId }, { money, requester }) =>
    `${money(amountMinor)} capturés${requester(captureId)}`,
  CancelRequested: ({ reason }, { by }) =>
    reason === 'expiry'
      ? 'Annulation demandée au prestataire, car le délai de paiement est écoulé'
      : `Annulation du paiement demandée au prestataire${by}`,
  PaymentCanceled: 'Le prestataire a annulé le paiement : aucun montant n’a été encaissé',
  RefundQueued: ({ amountMinor, requestId, expectedAt }, { money, moment, reference, by }) =>
    `Remboursement de ${money(amountMinor)}${reference(requestId)} programmé après la ` +
    `compensation du paiement, vers le ${moment(expectedAt)}${by}`,
  RefundRequested: ({ amountMinor, requestId, replaces }, { money, reference, by }) =>
    `Remboursement de ${money(amountMinor)}${reference(requestId)} ` +
    `${replaces === undefined ? '' : 'de nouveau '}demandé au prestataire${by}`,
  RefundRejected: ({ amountMinor, requestId, reason }, { money, reference, reason: text }) =>
    `Le remboursement de ${money(amountMinor)}${reference(requestId)} n’a pas été effectué : ` +
    text(reason),
  RefundAbandoned: ({ amountMinor, requestId }, { money, reference, by }) =>
    `Remboursement de ${money(amountMinor)}${reference(requestId)} abandonné${by} : ` +
    'le payeur n’est pas remboursé',
  RefundObserved: ({ amountMinor, requestId }, { money, reference }) =>
    requestId === null
      ? `Remboursement de ${money(amountMinor)} constaté, effectué directement chez le prestataire`
      : `Le prestataire a accepté le remboursement de ${money(amountMinor)}${reference(requestId)}`,
  RefundSent: ({ amountMinor, requestId }, { money, reference }) =>
    `Remboursement de ${money(amountMinor)}${reference(requestId)} envoyé à la banque du payeur`,
  RefundSucceeded: ({ amountMinor, requestId }, { money, reference }) =>
    `${money(amountMinor)} remboursés${reference(requestId)}`,
  RefundFailed: ({ amountMinor, outcome, requestId }, { money, reference }) =>
    (outcome === 'not_honored'
      ? 'La banque du payeur a refusé le remboursement de '
      : 'Le prestataire n’a pas pu effectuer le remboursement de ') +
    `${money(amountMinor)}${reference(requestId)}`,
  DisputeObserved: ({ kind, amountMinor, feeMinor, reasonCode }, { money, bank }) =>
    (kind === 'chargeback'
      ? `Le payeur a contesté ${money(amountMinor)}`
      : `La banque du payeur a retourné le prélèvement de ${money(amountMinor)}`) +
    `, avec ${money(feeMinor)} de frais : ${bank(reasonCode)}`,
  DisputeStatusChanged: ({ status }) =>
    `Statut de la contestation : ${payment.disputeStatuses[status]}`,
  DisputeReversed: ({ amountMinor }, { money }) =>
    `Contestation gagnée : ${money(amountMinor)} sont restitués, les frais sont retenus`,
  RequestResultUnknown: ({ request }) =>
    `Le prestataire n’a pas répondu à la demande ${CALLS[request][0]} : le résultat est inconnu`,
  RequestResultResolved: ({ request }) =>
    `Une lecture chez le prestataire a montré le résultat ${CALLS[request][1]}`,
  PaymentMismatchObserved: mismatch,
  PaymentMismatchesReviewed: mismatchesReviewed,
};
