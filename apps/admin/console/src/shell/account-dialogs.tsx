import { Modal, Text } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { PasswordForm } from '../session/password-form';
import { OwnFactors } from '../session/own-factors';

/** A change of the user's own account. */
export type AccountDialog = 'password' | 'second_factor';

interface AccountDialogsProps {
  readonly opened: AccountDialog | null;
  readonly onClose: () => void;
}

/** The dialogs to change one's own password and second factor. */
export const AccountDialogs = ({ opened, onClose }: AccountDialogsProps) => {
  const t = useT();
  const closeButtonProps = { 'aria-label': t.shared.close };
  return (
    <>
      <Modal
        opened={opened === 'password'}
        onClose={onClose}
        title={t.session.changeTitle}
        closeButtonProps={closeButtonProps}
      >
        <Text size="sm" c="dimmed" mb="md">
          {t.session.changeLead}
        </Text>
        <PasswordForm onDone={onClose} />
      </Modal>
      <Modal
        opened={opened === 'second_factor'}
        onClose={onClose}
        title={t.session.factors}
        closeButtonProps={closeButtonProps}
      >
        <OwnFactors onDone={onClose} />
      </Modal>
    </>
  );
};
