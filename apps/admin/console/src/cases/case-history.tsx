import { Text } from '@mantine/core';
import type { Dictionary } from '../i18n/en';
import { useT } from '../i18n/i18n';
import { Age, Time } from '../shared/time';
import { useActorName } from '../users/actor-name';
import type { CaseDeed } from './case';
import styles from './cases.module.css';

const actionOf = (t: Dictionary, kind: string | null): string | undefined =>
  kind === null ? undefined : ((t.actions.kinds as Readonly<Record<string, string>>)[kind] ?? kind);

/** The action of a history entry in words, e.g. `requested Reissue refund`. */
const deedText = (t: Dictionary, { deed, actionKind }: CaseDeed): string =>
  [t.cases.deeds[deed], actionOf(t, actionKind)].filter((part) => part !== undefined).join(' ');

/** Whether the entry is the result of an approved action, which the service executed. */
const isResult = ({ deed }: CaseDeed): boolean =>
  deed === 'action.done' || deed === 'action.failed';

/** The history of a case, with the notes and actions of people, in the given order. */
export const CaseHistory = ({ deeds }: { readonly deeds: readonly CaseDeed[] }) => {
  const t = useT();
  const nameOf = useActorName();
  if (deeds.length === 0) return <Text c="dimmed">{t.cases.noHistory}</Text>;
  return (
    <ol className={styles['history']}>
      {deeds.map((one) => (
        <li key={`${one.at} ${one.deed} ${one.actor}`}>
          <Text size="sm">
            {!isResult(one) && <strong>{nameOf(one.actor)} </strong>}
            {deedText(t, one)}
            {one.until !== null && (
              <>
                {' → '}
                <Time at={one.until} />
              </>
            )}
          </Text>
          {one.text !== '' && !isResult(one) && (
            <Text size="sm" className={styles['words']}>
              {one.text}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <Age at={one.at} isWall />
          </Text>
        </li>
      ))}
    </ol>
  );
};
