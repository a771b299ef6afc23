import { Stack, Text, Title } from '@mantine/core';
import { useTitle } from './use-title';

interface NotFoundProps {
  readonly title: string;
  readonly hint: string;
}

export const NotFound = ({ title, hint }: NotFoundProps) => {
  useTitle(title);
  return (
    <Stack align="center" py={80} gap="xs">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text c="dimmed">{hint}</Text>
    </Stack>
  );
};
