import { Modal } from '@mantine/core';
import { useT } from '../i18n/i18n';
import type { Action } from './action';
import { ActionResult } from './action-result';

interface PendingDialogProps {
  readonly action: Action;
  readonly onClose: () => void;
}

/** Shows that a change awaits the approval of a second person. */
export const PendingDialog = ({ action, onClose }: PendingDialogProps) => {
  const t = useT();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.actions.kinds[action.kind]}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <ActionResult action={action} onClose={onClose} />
    </Modal>
  );
};
