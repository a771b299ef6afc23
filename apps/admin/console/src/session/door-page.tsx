import { Box, Center, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '../i18n/i18n';
import { LanguageChoice } from '../i18n/language-choice';
import { Logo } from '../shared/icons';

interface DoorPageProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** A page without a menu that contains a single form, e.g. to sign in or to change the password. */
export const DoorPage = ({ title, lead, children }: DoorPageProps) => {
  const t = useT();
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={380} gap="lg">
        <Group gap="sm">
          <Logo />
          <Text fw={650}>{t.shell.product}</Text>
        </Group>
        <Box className="card" p="xl">
          <Title order={1} size="h3">
            {title}
          </Title>
          <Text c="dimmed" size="sm" mt={4} mb="lg">
            {lead}
          </Text>
          {children}
        </Box>
        <LanguageChoice />
      </Stack>
    </Center>
  );
};
