import { Fragment } from 'react';
import styles from '../entity/entity.module.css';
import type { ChangedValue } from '../entity/flat-state';
import { Value } from '../entity/value';
import { useT } from '../i18n/i18n';

/** The path of a value; lines break at a dot of the path, not within a word. */
const Path = ({ path }: { readonly path: string }) =>
  path.split(/(?<=\.)/).map((part, index) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));

interface StateRowProps {
  readonly one: ChangedValue;
  readonly currency: string | null;
}

const StateRow = ({ one, currency }: StateRowProps) => {
  const t = useT();
  const { path, value, change, before } = one;
  return (
    <tr className={styles[change]}>
      <th scope="row" lang="en">
        <Path path={path} />
      </th>
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
  readonly values: readonly ChangedValue[];
  readonly currency: string | null;
}

/** The values of a state, with what the selected event changed. */
export const StateRows = ({ values, currency }: StateRowsProps) => (
  <table className={styles['state']} aria-labelledby="state">
    <tbody>
      {values.map((one) => (
        <StateRow key={one.path} one={one} currency={currency} />
      ))}
    </tbody>
  </table>
);
