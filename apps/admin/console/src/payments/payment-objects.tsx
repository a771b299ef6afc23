import { ActionButtons } from '../actions/action-buttons';
import { actionsForCall } from '../actions/entity-actions';
import { actionsForFailedRefund } from '../actions/rejected-refund';
import type { TimelineEntry } from '../entity/entity-types';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import type { Tone } from '../shared/status-badge';
import { bankReason } from './bank-reason';
import { ObjectCard, Objects } from './object-card';
import {
  type Capture,
  type Dispute,
  paymentStateOf,
  type Refund,
  rejectedRefundsIn,
} from './payment-state';
import styles from './payment.module.css';
import { failedRequestOf } from './requests';

const CAPTURE_TONES = {
  requested: 'busy',
  accepted: 'ok',
  sent: 'ok',
  captured: 'ok',
  failed: 'calm',
} as const satisfies Readonly<Record<Capture['status'], Tone>>;

const REFUND_TONES = {
  queued: 'wait',
  requested: 'busy',
  rejected: 'bad',
  to_refund: 'busy',
  refund_sent: 'busy',
  refunded: 'ok',
  not_honored: 'bad',
  failed: 'bad',
} as const satisfies Readonly<Record<Refund['status'], Tone>>;

const DISPUTE_TONES = {
  open: 'wait',
  evidence_pending: 'wait',
  evidence_sent: 'busy',
  evidence_verification: 'busy',
  accepted: 'calm',
  won: 'ok',
  lost: 'bad',
  out_of_time: 'bad',
  not_contestable: 'bad',
} as const satisfies Readonly<Record<Dispute['status'], Tone>>;

interface PaymentObjectsProps {
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string;
  readonly entries: readonly TimelineEntry[];
}

/** The buttons to act on the failed provider request of a capture or refund. */
const FailedRequest = ({
  id,
  job,
}: {
  readonly id: string;
  readonly job: TimelineEntry | null;
}) => {
  const { t } = useI18n();
  if (job === null) return null;
  const { name, data } = job;
  return (
    <ActionButtons
      isCompact
      subject={`${t.calls[name] ?? name} ${id}`}
      requests={actionsForCall(String(data['jobId']), id, name)}
    />
  );
};

const RefundCard = (props: Omit<PaymentObjectsProps, 'state'> & RefundCardProps) => {
  const { t, locale } = useI18n();
  const { id, currency, entries, refund, isRejected } = props;
  const { requestId, refundId, amountMinor, status, reference, reason, rejection } = refund;
  const amount = formatAmount(amountMinor, currency, locale);
  return (
    <ObjectCard
      id={refundId ?? requestId ?? ''}
      amountMinor={amountMinor}
      currency={currency}
      tone={REFUND_TONES[status]}
      status={t.payment.refundStatuses[status]}
      at={refund.createdAt}
      actions={
        isRejected && requestId !== null ? (
          <ActionButtons
            isCompact
            subject={`${amount}, ${id}`}
            requests={actionsForFailedRefund(id, requestId)}
          />
        ) : (
          <FailedRequest id={id} job={failedRequestOf(entries, 'requestId', requestId)} />
        )
      }
    >
      {requestId === null && <div>{t.payment.directRefund}</div>}
      {reference !== null && (
        <div>
          {t.shared.reference} {reference}
        </div>
      )}
      {reason !== null && <div>{reason}</div>}
      {rejection !== undefined && (
        <div className={styles['note']} lang="en">
          {t.payment.rejection(rejection)}
        </div>
      )}
    </ObjectCard>
  );
};

interface RefundCardProps {
  readonly refund: Refund;
  /**
   * Whether the requested refund has failed, so that an operator must decide whether the payer is
   * refunded.
   */
  readonly isRejected: boolean;
}

const DisputeCard = ({ dispute, currency }: DisputeCardProps) => {
  const { t } = useI18n();
  const { disputeId, kind, amountMinor, status, reasonCode, isReversed, createdAt } = dispute;
  return (
    <ObjectCard
      id={disputeId}
      amountMinor={amountMinor}
      currency={currency}
      tone={DISPUTE_TONES[status]}
      status={t.payment.disputeStatuses[status]}
      at={createdAt}
    >
      <div>
        {t.payment.disputeKinds[kind]} · {bankReason(t, reasonCode)}
      </div>
      {isReversed === true && <div className={styles['note']}>{t.payment.returnedAmount}</div>}
    </ObjectCard>
  );
};

interface DisputeCardProps {
  readonly dispute: Dispute;
  readonly currency: string;
}

/** The captures, refunds and disputes of a payment as cards. */
export const PaymentObjects = ({ id, state, currency, entries }: PaymentObjectsProps) => {
  const { t } = useI18n();
  const { captures, refunds, disputes } = paymentStateOf(state);
  const rejected = rejectedRefundsIn(state);
  return (
    <div className={styles['groups']}>
      <Objects id="captures" title={t.payment.captures}>
        {captures.map(({ captureId, amountMinor, status, isFinal, at }) => (
          <ObjectCard
            key={captureId}
            id={captureId}
            amountMinor={amountMinor}
            currency={currency}
            tone={CAPTURE_TONES[status]}
            status={t.entity.captureStatuses[status]}
            at={at}
            actions={
              <FailedRequest id={id} job={failedRequestOf(entries, 'captureId', captureId)} />
            }
          >
            {isFinal === true && <div className={styles['note']}>{t.payment.isFinal}</div>}
          </ObjectCard>
        ))}
      </Objects>
      <Objects id="refunds" title={t.payment.refunds}>
        {refunds.map((refund) => (
          <RefundCard
            key={refund.refundId ?? refund.requestId}
            id={id}
            currency={currency}
            entries={entries}
            refund={refund}
            isRejected={rejected.includes(refund)}
          />
        ))}
      </Objects>
      <Objects id="disputes" title={t.payment.disputes}>
        {disputes.map((dispute) => (
          <DisputeCard key={dispute.disputeId} dispute={dispute} currency={currency} />
        ))}
      </Objects>
    </div>
  );
};
