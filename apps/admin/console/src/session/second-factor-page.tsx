import { Divider, Stack, Text } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { NewKeyForm } from './new-key-form';
import { OtherUser } from './other-user';
import { canUseKeys } from './security-key';
import { SecondFactorForm } from './second-factor-form';

/** The page to set up the second factor that the user's role requires. */
export const SecondFactorPage = () => {
  const t = useT();
  useTitle(t.session.setUpTitle);
  return (
    <DoorPage title={t.session.setUpTitle} lead={t.session.setUpRequired}>
      <SecondFactorForm />
      {canUseKeys() && (
        <Stack mt="md">
          <Divider label={t.session.or} />
          <Text size="sm">{t.session.keyLead}</Text>
          <NewKeyForm />
        </Stack>
      )}
      <OtherUser />
    </DoorPage>
  );
};
