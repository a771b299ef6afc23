import { Group, UnstyledButton } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { EntityType } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import type { ChangedValue } from '../entity/flat-state';
import { stateLabel, stateValue } from '../entity/state-text';
import { Value } from '../entity/value';
import { useT } from '../i18n/i18n';
import { Icon } from '../shared/icons';

/** The path of a value; lines break at a dot of the path, not within a word. */
const Path = ({ path }: { readonly path: string }) => (
  <span lang="en">
    {path.split(/(?<=\.)/).map((part, index) => (
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
);

interface StateRowProps {
  readonly one: ChangedValue;
  readonly currency: string | null;
  /** The label of the value. */
  readonly children: ReactNode;
}

const StateRow = ({ one, currency, children }: StateRowProps) => {
  const t = useT();
  const { path, value, change, before } = one;
  return (
    <tr className={styles[change]}>
      <th scope="row">{children}</th>
      <td>
        <Value name={path} value={value} currency={currency} />
        {change === 'changed' && before !== undefined && (
          <span className={styles['was']}>
            {t.entity.was} <Value name={path} value={before} currency={currency} />
          </span>
        )}
      </td>
    </tr>
  );
};

interface StateRowsProps {
  readonly type: EntityType;
  readonly values: readonly ChangedValue[];
  readonly currency: string | null;
}

/** All values of a state under their names in the event log, shown on demand. */
const RawState = ({ values, currency }: Omit<StateRowsProps, 'type'>) => {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton
        className={styles['meta']}
        mt="sm"
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
      >
        <Group gap={4}>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
          {t.entity.rawState}
        </Group>
      </UnstyledButton>
      {isOpen && (
        <table className={`${styles['state']} ${styles['raw']}`} aria-label={t.entity.rawState}>
          <tbody>
            {values.map((one) => (
              <StateRow key={one.path} one={one} currency={currency}>
                <Path path={one.path} />
              </StateRow>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};

/** The values of a state that have a label, with the changes that the selected event made. */
export const StateRows = ({ type, values, currency }: StateRowsProps) => {
  const t = useT();
  const named = values.flatMap((one) => {
    const label = stateLabel(t, one.path);
    return label === null ? [] : [{ one, label }];
  });
  return (
    <>
      <table className={styles['state']} aria-labelledby="state">
        <tbody>
          {named.map(({ one, label }) => (
            <StateRow
              key={one.path}
              one={{
                ...one,
                value: stateValue(t, type, one.path, one.value),
                before: one.before && stateValue(t, type, one.path, one.before),
              }}
              currency={currency}
            >
              {label}
            </StateRow>
          ))}
        </tbody>
      </table>
      <RawState values={values} currency={currency} />
    </>
  );
};
