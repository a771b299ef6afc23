import { ActionIcon, CopyButton, Group } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { Icon } from './icons';

/** An id with a copy button. */
export const CopyId = ({ id }: { readonly id: string }) => {
  const t = useT();
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex" miw={0}>
      <span className="mono" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </span>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? t.shared.copied : `${t.shared.copy} ${id}`}
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
};
