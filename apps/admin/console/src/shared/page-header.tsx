import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title';

interface PageHeaderProps {
  readonly title: string;
  readonly lead?: string;
  /** The actions of the page. */
  readonly children?: ReactNode;
}

export const PageHeader = ({ title, lead, children }: PageHeaderProps) => {
  useTitle(title);
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <Box>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead !== undefined && (
          <Text c="dimmed" size="sm">
            {lead}
          </Text>
        )}
      </Box>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  );
};
