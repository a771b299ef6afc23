import { useI18n } from '../i18n/i18n';
import { formatAmount } from '../shared/format';
import { useActorName } from '../users/actor-name';
import type { Exception } from './exception';
import { Sides } from './sides';

/** A payout that is late is none where the account owes the provider: that is kept back first. */
const KeptBack = ({ exception }: { readonly exception: Exception }) => {
  const { t, locale } = useI18n();
  const { kind, closedAt, balanceMinor, currency } = exception;
  const isKept = kind === 'late' && closedAt === null && balanceMinor !== null && balanceMinor < 0;
  if (!isKept) return null;
  return <div>{t.reconciliation.keptBack(formatAmount(balanceMinor, currency, locale))}</div>;
};

/** What our record says against what the provider's says, and how it ended. */
export const Evidence = ({ exception }: { readonly exception: Exception }) => {
  const { t } = useI18n();
  const nameOf = useActorName();
  const closer = (by: string): string => (by === 'facts' ? t.reconciliation.facts : nameOf(by));
  const { lineKind, objectId, closedBy, closeReason } = exception;
  return (
    <div>
      <div>
        {t.reconciliation.lines[lineKind]} <span className="mono">{objectId}</span>
      </div>
      <Sides {...exception} />
      <KeptBack exception={exception} />
      {closedBy !== null && (
        <div>
          {t.reconciliation.closedBy(closer(closedBy))}
          {closeReason !== null && ` · ${closeReason}`}
        </div>
      )}
    </div>
  );
};
