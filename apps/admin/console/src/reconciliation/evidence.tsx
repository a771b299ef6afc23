import { useT } from '../i18n/i18n';
import type { Exception } from './reconciliation-page';

/** What our record says against what the provider's says, and how it ended. */
export const Evidence = ({ exception }: { readonly exception: Exception }) => {
  const t = useT();
  const { lineKind, objectId, expected, observed, closedBy, closeReason } = exception;
  return (
    <div>
      <div>
        {t.reconciliation.lines[lineKind]} <span className="mono">{objectId}</span>
      </div>
      <div>
        <strong>{t.reconciliation.ours}</strong> {expected}{' · '}
        <strong>{t.reconciliation.theirs}</strong> {observed}
      </div>
      {closedBy !== null && (
        <div>
          {t.reconciliation.closedBy(closedBy === 'facts' ? t.reconciliation.facts : closedBy)}
          {closeReason !== null && ` · ${closeReason}`}
        </div>
      )}
    </div>
  );
};
