import { Button } from '@mantine/core';
import { isOwnRequest, leastRoleFor, usePendingActions } from '../actions/action';
import { useT } from '../i18n/i18n';
import { useSession } from '../session/session-context';
import { isAtLeast } from '../session/session-query';
import { useDecide } from './decide-host';

interface ApproveButtonProps {
  readonly actionId: string;
  readonly isCompact?: boolean;
}

/**
 * The button to approve an action that awaits approval. The user who requested the action sees a
 * text instead.
 */
export const ApproveButton = ({ actionId, isCompact = false }: ApproveButtonProps) => {
  const t = useT();
  const { userId, role } = useSession();
  const decide = useDecide();
  const action = usePendingActions().data?.find(({ id }) => id === actionId);
  if (action === undefined) return null;
  if (isOwnRequest(action, userId))
    return isCompact ? t.actions.statuses.pending : t.cases.ownRequest;
  if (!isAtLeast(role, leastRoleFor(action.kind))) return null;
  return (
    <Button
      size={isCompact ? 'compact-sm' : 'sm'}
      aria-label={t.shared.labeled(
        t.approvals.approve,
        `${t.actions.kinds[action.kind]} ${action.subjectId}`,
      )}
      onClick={() => decide(action)}
    >
      {t.approvals.approve}
    </Button>
  );
};
