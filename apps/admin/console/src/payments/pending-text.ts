import type { Dictionary } from '../i18n/en';
import { formatAmount, formatMoment } from '../shared/format';
import { type Capture, type Dispute, paymentStateOf, type Refund } from './payment-state';

/** One reason why a payment is pending. */
export interface Pending {
  readonly id: string;
  readonly text: string;
  /** The expected end of the wait; absent if unknown. */
  readonly at?: string;
}

interface Words {
  readonly t: Dictionary;
  readonly locale: string;
  readonly currency: string;
}

const amountIn = ({ locale, currency }: Words, amountMinor: number): string =>
  formatAmount(amountMinor, currency, locale);

const ofCapture = (capture: Capture, words: Words): readonly Pending[] => {
  const { captureId: id, status } = capture;
  const { captureRequested, captureAccepted, captureSent } = words.t.payment.pending;
  const amount = amountIn(words, capture.amountMinor);
  switch (status) {
    case 'requested':
      return [{ id, text: captureRequested(amount) }];
    case 'accepted':
      return [{ id, text: captureAccepted(amount) }];
    case 'sent':
      return [{ id, text: captureSent(amount) }];
    case 'captured':
    case 'failed':
      return [];
  }
};

const ofRefund = (refund: Refund, words: Words): readonly Pending[] => {
  const { status, expectedAt: at } = refund;
  const { refundQueued, refundRequested, refundSent } = words.t.payment.pending;
  const id = refund.requestId ?? refund.refundId ?? '';
  const amount = amountIn(words, refund.amountMinor);
  switch (status) {
    case 'queued':
      return at === undefined
        ? []
        : [{ id, text: refundQueued(amount, formatMoment(at, words.locale)), at }];
    case 'requested':
      return [{ id, text: refundRequested(amount) }];
    case 'to_refund':
    case 'refund_sent':
      return [{ id, text: refundSent(amount) }];
    case 'rejected':
    case 'refunded':
    case 'not_honored':
    case 'failed':
      return [];
  }
};

const UNDECIDED: readonly Dispute['status'][] = [
  'open',
  'evidence_pending',
  'evidence_sent',
  'evidence_verification',
];

/** Sentences that say for what a payment in this state waits. */
export const pendingOf = (
  state: Readonly<Record<string, unknown>>,
  words: Words,
): readonly Pending[] => {
  const { status, expiresAt, cancel, captures, refunds, disputes } = paymentStateOf(state);
  const { pending } = words.t.payment;
  return [
    ...(status === 'open' ? [{ id: 'open', text: pending.open }] : []),
    ...(status === 'authorized' && expiresAt !== undefined
      ? [
          {
            id: 'expiry',
            text: pending.authorized(formatMoment(expiresAt, words.locale)),
            at: expiresAt,
          },
        ]
      : []),
    ...(cancel ? [{ id: 'cancel', text: pending.canceling }] : []),
    ...captures.flatMap((capture) => ofCapture(capture, words)),
    ...refunds.flatMap((refund) => ofRefund(refund, words)),
    ...disputes
      .filter((dispute) => UNDECIDED.includes(dispute.status))
      .map(({ disputeId: id, amountMinor }) => ({
        id,
        text: pending.dispute(amountIn(words, amountMinor)),
      })),
  ];
};
