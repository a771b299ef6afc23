import { ActionIcon, Badge, Menu, Modal, Stack, Text, useMantineColorScheme } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, LANGUAGES, useI18n } from '../i18n/i18n';
import { useSession } from '../session/session-context';
import { useDoors } from '../session/session-query';
import { Icon, type IconName } from '../shared/icons';
import { ProblemAlert } from '../shared/problem-alert';
import { type AccountDialog, AccountDialogs } from './account-dialogs';
import { openUp } from './opening';

const SCHEMES = [
  { value: 'light', icon: 'sun' },
  { value: 'dark', icon: 'moon' },
  { value: 'auto', icon: 'device' },
] as const satisfies readonly { readonly value: string; readonly icon: IconName }[];

/** A tick beside the selected menu item; the other items keep the same indent. */
const tick = (isChosen: boolean) => (isChosen ? <Icon name="check" size={16} /> : null);

const AppearanceItems = () => {
  const { t } = useI18n();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return SCHEMES.map(({ value, icon }) => (
    <Menu.Item
      key={value}
      leftSection={<Icon name={icon} size={16} />}
      closeMenuOnClick={false}
      rightSection={tick(value === colorScheme)}
      aria-current={value === colorScheme}
      onClick={() => setColorScheme(value)}
    >
      {t.shell[value]}
    </Menu.Item>
  ));
};

const LanguageItems = () => {
  const { language, choose } = useI18n();
  return (Object.keys(LANGUAGES) as Language[]).map((value) => (
    <Menu.Item
      key={value}
      lang={value}
      rightSection={tick(value === language)}
      aria-current={value === language}
      onClick={() => choose(value)}
    >
      {LANGUAGES[value]}
    </Menu.Item>
  ));
};

/** The menu of the signed-in user: name and role, appearance, language, sign-out. */
export const AccountMenu = () => {
  const { t } = useI18n();
  const { name, role } = useSession();
  const { signOut, signOutEverywhere } = useDoors();
  const leaving = useMutation({ mutationFn: (leave: () => Promise<void>) => leave() });
  const [dialog, setDialog] = useState<AccountDialog | null>(null);
  return (
    <>
      {/* Without the library's focus placeholder, which is not an allowed child of a menu (ARIA). */}
      <Menu width={240} position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.shell.account}>
            <Icon name="user" size={22} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Stack gap={2} px="sm" py="xs">
            <Text fw={600}>{name}</Text>
            <Badge variant="outline" color="gray" c="inherit" tt="none">
              {t.shell.roles[role]}
            </Badge>
          </Stack>
          <Menu.Divider />
          <Menu.Label>{t.shell.appearance}</Menu.Label>
          <AppearanceItems />
          <Menu.Label>{t.shell.language}</Menu.Label>
          <LanguageItems />
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="keyboard" size={16} />}
            onClick={() => openUp('shortcuts')}
          >
            {t.shell.shortcuts}
          </Menu.Item>
          <Menu.Item onClick={() => setDialog('password')}>{t.shell.changePassword}</Menu.Item>
          <Menu.Item onClick={() => setDialog('second_factor')}>{t.shell.secondFactor}</Menu.Item>
          <Menu.Item onClick={() => leaving.mutate(signOutEverywhere)}>
            {t.shell.signOutEverywhere}
          </Menu.Item>
          <Menu.Item onClick={() => leaving.mutate(signOut)}>{t.shell.signOut}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AccountDialogs opened={dialog} onClose={() => setDialog(null)} />
      <Modal
        opened={leaving.error !== null}
        onClose={leaving.reset}
        title={t.shell.stillSignedIn}
        closeButtonProps={{ 'aria-label': t.shared.close }}
      >
        {leaving.error !== null && <ProblemAlert error={leaving.error} />}
      </Modal>
    </>
  );
};
