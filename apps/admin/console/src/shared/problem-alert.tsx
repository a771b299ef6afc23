import { Alert, Button, Code, Group, List, Text } from '@mantine/core';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';
import { FieldDetail } from './field-detail';
import { ProblemText } from './problem-text';

interface ProblemAlertProps {
  readonly error: Error;
  readonly retry?: () => unknown;
}

/** An error, with the invalid fields and the correlation id for support. */
export const ProblemAlert = ({ error, retry }: ProblemAlertProps) => {
  const t = useT();
  const problem = error instanceof ApiProblem ? error : null;
  const correlationId = problem?.correlationId ?? null;
  const fields = Object.entries(problem?.fields ?? {});
  return (
    <Alert variant="outline" color="red" title={t.shared.failed} role="alert" c="inherit">
      <Text size="sm" c="inherit">
        <ProblemText error={error} />
      </Text>
      {fields.length > 0 && (
        <List size="sm">
          {fields.map(([name, detail]) => (
            <List.Item key={name}>
              <FieldDetail name={name} detail={detail} />
            </List.Item>
          ))}
        </List>
      )}
      {correlationId !== null && (
        <Text size="sm" mt="xs">
          {t.shared.correlation} <Code>{correlationId}</Code>
        </Text>
      )}
      {retry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={() => void retry()}>
            {t.shared.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
};
