import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';

interface ProblemAlertProps {
  readonly error: Error;
  readonly retry?: () => unknown;
}

/** What went wrong in words, and what to name when asking for help. */
export const ProblemAlert = ({ error, retry }: ProblemAlertProps) => {
  const t = useT();
  const problem = error instanceof ApiProblem ? error : null;
  const correlationId = problem?.correlationId ?? null;
  const text = problem?.code === 'network' ? t.shared.unreachable : error.message;
  return (
    <Alert variant="outline" color="red" title={t.shared.failed} role="alert" c="inherit">
      <Text size="sm" c="inherit">{text}</Text>
      {correlationId !== null && (
        <Text size="sm" mt="xs">
          {t.shared.correlation} <Code>{correlationId}</Code>
        </Text>
      )}
      {retry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => void retry()}>{t.shared.retry}</Button>
        </Group>
      )}
    </Alert>
  );
};
