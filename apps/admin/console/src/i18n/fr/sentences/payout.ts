import type { EventOf, Sentences } from '../../../story/sentence';
import { mismatch } from './mismatch';

const counted = (count: number, one: string): string => `${count} ${one}${count > 1 ? 's' : ''}`;

export const payoutSentences: Sentences<EventOf<'payout'>> = {
  PayoutAnnounced: ({ amountMinor, feesMinor, feesVatMinor, date, reference }, { money, day }) =>
    `Le prestataire a annoncé le versement ${reference} de ${money(amountMinor)} pour le ` +
    `${day(date)}, après ${money(feesMinor)} de frais et ${money(feesVatMinor)} de TVA`,
  PayoutStatusChanged: ({ status: to, bankDate }, { status, day }) =>
    `Statut du versement : ${status(to)}` +
    (bankDate === null ? '' : `, à la banque du marchand le ${day(bankDate)}`),
  PayoutLinesRead: ({ lines: { payment, refund, dispute } }) =>
    `Lignes du versement lues : ${counted(payment.count, 'paiement')}, ` +
    `${counted(refund.count, 'remboursement')}, ${counted(dispute.count, 'contestation')}`,
  PayoutReconciled: ({ matched, exceptions }) => {
    const breaks = Object.values(exceptions).reduce((sum, count) => sum + count, 0);
    return (
      `Versement comparé au grand livre : ${counted(matched, 'ligne')} sans écart, ` +
      counted(breaks, 'écart')
    );
  },
  PayoutLineCorrected: ({ objectId, amountMinor, feesMinor }, { money }) =>
    `Grand livre corrigé pour la ligne ${objectId} : ${money(amountMinor)}, et ` +
    `${money(feesMinor)} de frais`,
  PayoutMismatchObserved: mismatch,
};
