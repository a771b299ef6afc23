import { Modal } from '@mantine/core';
import { useT } from '../i18n/i18n';
import type { ActionRequest } from './action';
import { ActionForm } from './action-form';
import { ActionResult } from './action-result';
import { useActionForm } from './use-action-form';

interface ActionDialogProps {
  readonly request: ActionRequest;
  /** The subject of the action, in words. */
  readonly subject: string;
  readonly onClose: () => void;
}

/** Previews an action, requests or runs it, and shows its result. */
export const ActionDialog = ({ request, subject, onClose }: ActionDialogProps) => {
  const t = useT();
  const form = useActionForm(request);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t.shared.labeled(t.actions.kinds[request.kind], subject)}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      {form.result === undefined ? (
        <ActionForm form={form} onClose={onClose} />
      ) : (
        <ActionResult action={form.result} onClose={onClose} />
      )}
    </Modal>
  );
};
