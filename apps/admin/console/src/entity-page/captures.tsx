import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { Amount } from '../shared/amount';
import { CopyId } from '../shared/copy-id';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Time } from '../shared/time';

const TONES = {
  requested: 'busy',
  accepted: 'ok',
  sent: 'ok',
  captured: 'ok',
  failed: 'calm',
} as const satisfies Readonly<Record<string, Tone>>;

interface Capture {
  readonly captureId: string;
  readonly amountMinor: number;
  readonly status: keyof typeof TONES;
  readonly at: string;
}

/** The captures in the state of a payment; empty for the state of another aggregate. */
export const capturesIn = (state: Readonly<Record<string, unknown>>): readonly Capture[] =>
  (state as { readonly captures?: readonly Capture[] }).captures ?? [];

/** Whether a capture was requested that the provider does not show yet. */
export const isCaptureRequestedIn = (state: Readonly<Record<string, unknown>>): boolean =>
  capturesIn(state).some(({ status }) => status === 'requested');

interface CapturesProps {
  readonly captures: readonly Capture[];
  readonly currency: string;
}

/** The captures of a payment, with the status of each. */
export const Captures = ({ captures, currency }: CapturesProps) => {
  const t = useT();
  if (captures.length === 0) return null;
  return (
    <section className="card" aria-labelledby="captures">
      <Box p="md">
        <Title order={2} size="h4" id="captures" mb="xs">
          {t.entity.captures}
        </Title>
        <Stack gap="xs">
          {captures.map(({ captureId, amountMinor, status, at }) => (
            <Group key={captureId} gap="sm">
              <StatusBadge tone={TONES[status]} label={t.entity.captureStatuses[status]} />
              <Text fw={600}>
                <Amount amountMinor={amountMinor} currency={currency} />
              </Text>
              <Text size="sm" c="dimmed">
                <Time at={at} />
              </Text>
              <CopyId id={captureId} />
            </Group>
          ))}
        </Stack>
      </Box>
    </section>
  );
};
