import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useT } from '../i18n/i18n';
import { useDoors } from './session-query';

/** The button to return to the sign-in form. */
export const OtherUser = () => {
  const t = useT();
  const { signOut } = useDoors();
  const leaving = useMutation({ mutationFn: signOut });
  return (
    <Button
      variant="subtle"
      c="inherit"
      fullWidth
      mt="sm"
      loading={leaving.isPending}
      onClick={() => leaving.mutate()}
    >
      {t.session.otherUser}
    </Button>
  );
};
