import { Button, Modal, Stack, Text } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { CopyId } from './copy-id';

interface ShownOnceProps {
  readonly title: string;
  /** The text that explains what to do with the secret. */
  readonly lead: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** Shows a secret that cannot be shown again, because the console does not store it. */
export const ShownOnce = ({ title, lead, text, onClose }: ShownOnceProps) => {
  const t = useT();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <Stack>
        <Text size="sm">{lead}</Text>
        <CopyId id={text} />
        <Button onClick={onClose}>{t.shared.done}</Button>
      </Stack>
    </Modal>
  );
};
