import { Group, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useT } from '../i18n/i18n';
import { CopyId } from '../shared/copy-id';
import { Icon } from '../shared/icons';
import { Json } from '../shared/json';
import { Time } from '../shared/time';

interface DisclosureProps {
  readonly label: string;
  /** What the label refers to; only screen readers read this text. */
  readonly of?: string;
  readonly children: ReactNode;
}

/** A button, and the content that the button shows and hides. */
export const useDisclosure = ({ label, of, children }: DisclosureProps) => {
  const [isOpen, setOpen] = useState(false);
  const button = (
    <UnstyledButton
      className={styles['meta']}
      onClick={() => setOpen(!isOpen)}
      aria-expanded={isOpen}
    >
      <Group gap={4} wrap="nowrap">
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
        {label}
        {of !== undefined && <span className="visually-hidden"> {of}</span>}
      </Group>
    </UnstyledButton>
  );
  return { button, content: isOpen ? children : null };
};

/** When and in which trace an entry was recorded, and its data. */
export const EntryDetails = ({ entry }: { readonly entry: TimelineEntry }) => {
  const t = useT();
  const { recordedAt, traceId, traceUrl } = entry;
  return (
    <>
      {recordedAt !== null && (
        <div className={styles['meta']}>
          {t.entity.recorded} <Time at={recordedAt} />
        </div>
      )}
      {traceId !== null && (
        <div className={styles['meta']}>
          {t.entity.trace}{' '}
          {traceUrl === null ? (
            <CopyId id={traceId} />
          ) : (
            <a className="link mono" href={traceUrl} target="_blank" rel="noreferrer">
              {traceId}
            </a>
          )}
        </div>
      )}
      <Json label={t.entity.raw} value={entry} className={styles['json']} />
    </>
  );
};
