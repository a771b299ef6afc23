import { ActionButtons } from '../actions/action-buttons';
import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import type { Exception } from './exception';

/** The payout line, or the payout as a whole, that a break belongs to. */
export interface Differing extends Pick<
  Exception,
  'lineKind' | 'objectId' | 'payoutId' | 'currency'
> {
  /** The amount of the line; null if the payout's totals differ. */
  readonly amountMinor: number | null;
}

interface CloseExceptionProps extends Differing {
  readonly id: string;
  readonly kind: string;
}

/**
 * Whether the ledger contains the fee to which the break refers. Only such a fee can be accepted: a
 * reversed dispute has no fee of its own.
 */
export const isFeeOfLine = (kind: string, lineKind: Exception['lineKind']): boolean =>
  kind === 'fee' && lineKind !== 'payout' && lineKind !== 'dispute_reversal';

/** The buttons that close a break, labeled with its line, amount and payout. */
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
      requests={[
        { kind: 'close_exception', target: { subjectId: id } },
        ...(isFeeOfLine(kind, lineKind)
          ? [{ kind: 'accept_fee', target: { subjectId: id } } as const]
          : []),
      ]}
    />
  );
};
