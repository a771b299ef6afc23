import { Modal } from '@mantine/core';
import { useT } from '../i18n/i18n';
import type { Action } from './action';
import { ActionResult } from './action-result';

interface WaitingDialogProps {
  readonly action: Action;
  readonly onClose: () => void;
}

/** A setting that was asked for, and waits for a second person. */
export const WaitingDialog = ({ action, onClose }: WaitingDialogProps) => {
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
