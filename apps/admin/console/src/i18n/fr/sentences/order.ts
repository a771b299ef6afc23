import type { EventOf, Sentences } from '../../../story/sentence';

export const orderSentences: Sentences<EventOf<'order'>> = {
  OrderPlaced: ({ reference }, { total, by }) => `Commande ${reference} de ${total} passée${by}`,
  OrderPaymentStarted: ({ ordinal }, { total }) =>
    ordinal === 1
      ? `Paiement de ${total} commencé`
      : `Paiement n° ${ordinal} de la commande commencé : ${total}`,
  OrderAuthorized: (_, { total }) => `La commande est autorisée : ${total} peuvent être capturés`,
  OrderPaid: ({ amountMinor, captureId }, { money, requester }) =>
    `La commande est payée : ${money(amountMinor)}${requester(captureId)}`,
  OrderCaptured: ({ amountMinor, paidMinor, captureId }, { money, requester }) =>
    `${money(amountMinor)} de plus capturés${requester(captureId)} ; ` +
    `${money(paidMinor)} sont payés au total`,
  OrderCaptureCorrected: ({ amountMinor, previousAmountMinor, paidMinor }, { money }) =>
    `Le prestataire a capturé ${money(amountMinor)} au lieu de ${money(previousAmountMinor)} ; ` +
    `${money(paidMinor)} sont payés au total`,
  OrderCancellationRequested: (_, { by }) => `Annulation de la commande demandée${by}`,
  OrderCanceled: 'La commande est annulée : aucun montant n’a été encaissé',
  OrderExpiryReached: 'Le délai de paiement de la commande est écoulé',
  OrderExpired: 'La commande a expiré sans paiement',
  OrderFailed: ({ reason }, say) => `La commande a échoué : ${say.reason(reason)}`,
  OrderRefunded: ({ amountMinor, refundedMinor, requestId }, { money, reference }) =>
    `${money(amountMinor)} remboursés${reference(requestId)} ; ` +
    `${money(refundedMinor)} de la commande sont remboursés au total`,
  OrderChargedBack: ({ amountMinor, reasonCode }, { money, bank }) =>
    `Impayé de ${money(amountMinor)} : ${bank(reasonCode)}`,
  OrderDisputeWon: ({ amountMinor }, { money }) =>
    `Contestation gagnée : l’impayé de ${money(amountMinor)} est annulé`,
  OrderDebitReturned: ({ amountMinor, reasonCode }, { money, bank }) =>
    `La banque du payeur a retourné le prélèvement de ${money(amountMinor)} : ${bank(reasonCode)}`,
  OrderPaymentVoided: ({ amountMinor }, { money }) =>
    `Paiement de ${money(amountMinor)} annulé avant son envoi à la banque`,
};
