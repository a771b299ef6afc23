import { Group, Text } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import { Amount } from '../shared/amount';
import type { About } from './action';

/** The line at the top of the dialog with the amount that the action affects. */
export const AboutLine = ({ about }: { readonly about: About }) => {
  const t = useT();
  const { subjectType, subjectId, amountMinor, ofMinor, currency } = about;
  return (
    <Group gap="xs" align="baseline">
      <Text fw={700} size="xl">
        <Amount amountMinor={amountMinor} currency={currency} />
      </Text>
      {amountMinor !== ofMinor && (
        <Text c="dimmed">
          {t.actions.of} <Amount amountMinor={ofMinor} currency={currency} />
        </Text>
      )}
      <EntityLink type={subjectType} id={subjectId} />
    </Group>
  );
};
