import { Note } from '../shared/note';
import { flatten } from './flat-state';
import styles from './entity.module.css';
import type { TimelineEntry } from './entity-types';
import { Value } from './value';

/** The maximum number of values in a summary. */
const MAX_SHOWN = 6;
/** Whether a value belongs in a summary: internal ids and long texts are only in the details. */
const isBrief = (name: string, value: unknown): boolean =>
  value !== null &&
  value !== '' &&
  name !== 'currency' &&
  !/(causationId|correlationId|jobId|updatedAt|handledAt|version)$/.test(name) &&
  String(value).length <= 80;

/** The main values of an entry in one line. */
export const Summary = ({
  data,
  currency,
}: Pick<TimelineEntry, 'data'> & { readonly currency: string | null }) => {
  const own = typeof data['currency'] === 'string' ? data['currency'] : currency;
  const brief = flatten(data)
    .filter(({ path, value }) => !path.includes('.') && isBrief(path, value))
    .slice(0, MAX_SHOWN);
  if (brief.length === 0) return null;
  return (
    <dl className={styles['summary']} style={{ margin: 0 }}>
      {brief.map(({ path, value }) => (
        <div key={path} className={styles['pair']}>
          <dt lang="en">{path.replace(/(?:Minor|Ms)$/, '')}</dt>
          <dd>
            {path === 'note' ? (
              <Note text={String(value)} />
            ) : (
              <Value name={path} value={value} currency={own} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};
