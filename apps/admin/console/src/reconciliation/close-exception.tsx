import { ActionButtons } from '../actions/action-buttons';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import type { Exception } from './exception';

/** What an exception is of. */
export interface Differing extends Pick<
  Exception,
  'lineKind' | 'objectId' | 'payoutId' | 'currency'
> {
  /** Of the line; null: the payout's own figures differ. */
  readonly amountMinor: number | null;
}

interface CloseExceptionProps extends Differing {
  readonly id: string;
  readonly kind: string;
}

/** The way to close an exception, which names what differs: the line, how much it is, and whose. */
export const CloseException = ({
  id,
  kind,
  lineKind,
  objectId,
  payoutId,
  amountMinor,
  currency,
}: CloseExceptionProps) => {
  const { t, locale } = useI18n();
  const { kinds, lines } = t.reconciliation;
  const subject = [
    kinds[kind] ?? kind,
    `${lines[lineKind]} ${objectId}`,
    amountMinor === null ? null : formatAmount(amountMinor, currency, locale),
    payoutId === null || payoutId === objectId ? null : `${lines.payout} ${payoutId}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  return (
    <ActionButtons
      isCompact
      subject={subject}
      wishes={[{ kind: 'close_exception', target: { subjectId: id } }]}
    />
  );
};
