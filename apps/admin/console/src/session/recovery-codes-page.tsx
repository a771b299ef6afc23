import { Button, SimpleGrid, Stack } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { useDoors } from './session-query';

/** The page that shows the recovery codes of a new second factor once. */
export const RecoveryCodesPage = ({ codes }: { readonly codes: readonly string[] }) => {
  const t = useT();
  const { forgetRecoveryCodes } = useDoors();
  useTitle(t.session.recoveryTitle);
  return (
    <DoorPage title={t.session.recoveryTitle} lead={t.session.recoveryLead}>
      <Stack>
        <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0}>
          {codes.map((code) => (
            <li key={code} className="mono" style={{ listStyle: 'none' }}>
              {code}
            </li>
          ))}
        </SimpleGrid>
        <Button fullWidth onClick={forgetRecoveryCodes}>
          {t.session.recoveryDone}
        </Button>
      </Stack>
    </DoorPage>
  );
};
