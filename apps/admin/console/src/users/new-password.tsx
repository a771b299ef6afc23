import { Button, Modal, Stack, Text } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { CopyId } from '../shared/copy-id';

interface NewPasswordProps {
  readonly name: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Shown once: it is kept nowhere in the console. */
export const NewPassword = ({ name, text, onClose }: NewPasswordProps) => {
  const t = useT();
  return (
    <Modal
      opened onClose={onClose} title={t.users.passwordTitle(name)} closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <Stack>
        <Text size="sm">{t.users.passwordLead}</Text>
        <CopyId id={text} />
        <Button onClick={onClose}>{t.users.passwordDone}</Button>
      </Stack>
    </Modal>
  );
};
