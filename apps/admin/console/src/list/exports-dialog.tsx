import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useI18n } from '../i18n/i18n';
import { formatCount } from '../shared/format';
import { ProblemAlert } from '../shared/problem-alert';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Time } from '../shared/time';
import { type Export, useDeleteExport, useExports, type useRequestExport } from './exports';
import styles from './saved-views.module.css';
import type { PageQuery } from './use-pages';

const TONES: Readonly<Record<Export['state'], Tone>> = {
  running: 'busy',
  ready: 'ok',
  failed: 'bad',
};

const ExportRow = ({ one }: { readonly one: Export }) => {
  const { t, locale } = useI18n();
  const deleting = useDeleteExport();
  const { id, list, state, failure, rows, requestedAt } = one;
  const names: Readonly<Record<string, string | undefined>> = t.shared.exports.lists;
  const name = names[list] ?? list;
  const label = t.shared.exports.rows(name, formatCount(rows, locale));
  return (
    <li className={styles['row']}>
      <div>
        <Text span size="sm">
          {label}
        </Text>{' '}
        <StatusBadge tone={TONES[state]} label={t.shared.exports.states[state]} />
        <Text size="xs" c="dimmed">
          <Time at={requestedAt} />
          {failure !== null && ` · ${t.shared.exports.failures[failure]}`}
        </Text>
      </div>
      <Group gap={4}>
        {state === 'ready' && (
          <Button
            component="a"
            size="compact-sm"
            variant="default"
            href={`/v1/exports/${id}/file`}
            download
            aria-label={t.shared.labeled(t.shared.exports.download, label)}
          >
            {t.shared.exports.download}
          </Button>
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          loading={deleting.isPending}
          aria-label={t.shared.labeled(t.shared.exports.delete, label)}
          onClick={() => deleting.mutate(id)}
        >
          {t.shared.exports.delete}
        </Button>
      </Group>
      {deleting.error !== null && <ProblemAlert error={deleting.error} />}
    </li>
  );
};

interface ExportsDialogProps {
  readonly query: PageQuery;
  readonly requesting: ReturnType<typeof useRequestExport>;
  readonly onClose: () => void;
}

/** The user's exports with their progress, and the button that requests one of this list. */
export const ExportsDialog = ({ query, requesting, onClose }: ExportsDialogProps) => {
  const { t } = useI18n();
  const { data, error } = useExports();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t.shared.exports.title}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t.shared.exports.lead}
        </Text>
        {error !== null && <ProblemAlert error={error} />}
        {data?.length === 0 && <Text size="sm">{t.shared.exports.none}</Text>}
        {data !== undefined && data.length > 0 && (
          <ul className={styles['rows']} aria-live="polite">
            {data.map((one) => (
              <ExportRow key={one.id} one={one} />
            ))}
          </ul>
        )}
        {requesting.error !== null && <ProblemAlert error={requesting.error} />}
        <Group justify="flex-end">
          <Button loading={requesting.isPending} onClick={() => requesting.mutate(query)}>
            {t.shared.exports.request}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
