import type { EventOf, Sentences } from '../../../story/sentence';
import { mismatch } from './mismatch';

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

export const payoutSentences: Sentences<EventOf<'payout'>> = {
  PayoutAnnounced: ({ amountMinor, feesMinor, feesVatMinor, date, reference }, { money, day }) =>
    `The provider announced the payout ${reference} of ${money(amountMinor)} for ${day(date)}, ` +
    `after fees of ${money(feesMinor)} and VAT of ${money(feesVatMinor)}`,
  PayoutStatusChanged: ({ status: to, bankDate }, { status, day }) =>
    `Status of the payout: ${status(to)}` +
    (bankDate === null ? '' : `, at the merchant’s bank on ${day(bankDate)}`),
  PayoutLinesRead: ({ lines: { payment, refund, dispute } }) =>
    `Read the lines of the payout: ${counted(payment.count, 'payment')}, ` +
    `${counted(refund.count, 'refund')}, ${counted(dispute.count, 'dispute')}`,
  PayoutReconciled: ({ matched, exceptions }) => {
    const breaks = Object.values(exceptions).reduce((sum, count) => sum + count, 0);
    return (
      `Compared the payout with the ledger: ${counted(matched, 'line')} matched, ` +
      counted(breaks, 'break')
    );
  },
  PayoutLineCorrected: ({ objectId, amountMinor, feesMinor }, { money }) =>
    `Corrected the ledger for the line ${objectId}: ${money(amountMinor)}, and a fee of ` +
    money(feesMinor),
  PayoutMismatchObserved: mismatch,
};
