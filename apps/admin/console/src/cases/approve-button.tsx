import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { type Action, leastRoleFor, usePendingActions } from '../actions/action';
import { useT } from '../i18n/i18n';
import { useMay, useSession } from '../session/session-context';

/** The dialog is loaded when the first action is decided. */
const DecideDialog = lazy(async () => ({
  default: (await import('../approvals/decide-dialog')).DecideDialog,
}));

const Approve = ({
  action,
  isCompact,
}: {
  readonly action: Action;
  readonly isCompact: boolean;
}) => {
  const t = useT();
  const { userId } = useSession();
  const mayDecide = useMay(leastRoleFor(action.kind));
  const [isOpen, setOpen] = useState(false);
  const isOwn = action.requestedBy === userId || action.requestedBy === `user:${userId}`;
  if (isOwn) return isCompact ? t.actions.statuses.pending : t.cases.ownRequest;
  if (!mayDecide) return null;
  return (
    <>
      <Button
        size={isCompact ? 'compact-sm' : 'sm'}
        aria-label={t.shared.labeled(
          t.approvals.approve,
          `${t.actions.kinds[action.kind]} ${action.subjectId}`,
        )}
        onClick={() => setOpen(true)}
      >
        {t.approvals.approve}
      </Button>
      <Suspense>
        {isOpen && (
          <DecideDialog decision={{ kind: 'approve', action }} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
};

interface ApproveButtonProps {
  readonly actionId: string;
  readonly isCompact?: boolean;
}

/** The button to approve an action that awaits approval; text for the user who requested it. */
export const ApproveButton = ({ actionId, isCompact = false }: ApproveButtonProps) => {
  const action = usePendingActions().data?.find(({ id }) => id === actionId);
  return action === undefined ? null : <Approve action={action} isCompact={isCompact} />;
};
