import { Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { rememberPage } from './provider-return';
import { useDoors, useIdentityProvider } from './session-query';

/**
 * The button to sign in at the identity provider, if there is one. `keepsPage`: the sign-in opens
 * in a new tab, because the current tab has unsaved input.
 */
export const ProviderButton = ({ keepsPage }: { readonly keepsPage: boolean }) => {
  const t = useT();
  const { beginAtProvider } = useDoors();
  const label = useIdentityProvider();
  const going = useMutation({
    mutationFn: async () => {
      // The tab must be opened by the click itself: browsers block tabs that are opened later.
      const tab = keepsPage ? window.open('', '_blank') : null;
      try {
        const url = await beginAtProvider();
        if (tab === null) {
          rememberPage();
          location.assign(url);
          return;
        }
        tab.opener = null;
        tab.location.href = url;
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
  if (label === null) return null;
  return (
    <Stack mt="md">
      <Divider label={t.session.or} />
      {going.error !== null && <ProblemAlert error={going.error} />}
      <Button
        variant="default"
        fullWidth
        // Stays in the loading state until this tab has left for the page of the identity provider.
        loading={going.isPending || (going.isSuccess && !keepsPage)}
        onClick={() => going.mutate()}
      >
        {t.session.withProvider(label)}
      </Button>
      {keepsPage && (
        <Text size="sm" c="dimmed">
          {t.session.inNewTab}
        </Text>
      )}
    </Stack>
  );
};
