import { Link } from 'wouter';
import { EntityLink } from '../entity/entity-link';
import { type EntityType, pathOf } from '../entity/entity-types';
import { useI18n, useT } from '../i18n/i18n';
import { formatAge } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { useWallNow } from '../shared/time';
import styles from './queues.module.css';

/** A workflow and the order or merchant that it is of. */
export const Workflow = ({
  saga,
  subject,
}: {
  readonly saga: string;
  readonly subject: string;
}) => {
  const t = useT();
  return (
    <div>
      <div>
        <strong>{t.workflows[saga] ?? saga}</strong>
      </div>
      <EntityLink id={subject} />
    </div>
  );
};

/** Whether a workflow that could not react is tried again by itself; `retryAt` null: it is not. */
export const ReactionState = ({ retryAt }: { readonly retryAt: string | null }) => {
  const { t, locale } = useI18n();
  const now = useWallNow();
  if (retryAt === null) return <StatusBadge tone="bad" label={t.queues.blocked} />;
  // One that is due is made within a second, and may have been by now.
  const next = Math.max(Date.parse(retryAt), now);
  return (
    <div>
      <StatusBadge tone="wait" label={t.queues.retrying} />
      <div className={styles['of']}>
        {t.queues.nextRetry(formatAge(new Date(next).toISOString(), now, locale))}
      </div>
    </div>
  );
};

/** The message of an error; the stack below it on demand. */
export const ReactionError = ({ error }: { readonly error: string }) => {
  const t = useT();
  const [message = '', ...stack] = error.trim().split('\n');
  return (
    <div className={styles['error']}>
      <span lang="en">{message}</span>
      {stack.length > 0 && (
        <details>
          <summary>{t.queues.errorDetails}</summary>
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls. */}
          <pre lang="en" role="region" aria-label={t.queues.errorDetails} tabIndex={0}>
            {stack.map((line) => line.trim()).join('\n')}
          </pre>
        </details>
      )}
    </div>
  );
};

interface StimulusProps {
  /** The type of the event, or the kind of the deadline. */
  readonly name: string;
  /** Null: it is a deadline. */
  readonly event: {
    readonly streamType: string;
    readonly streamId: string;
    readonly version: number;
  } | null;
}

/** What a workflow could not react to; an event leads to its entity, as it was then. */
export const Stimulus = ({ name, event }: StimulusProps) => {
  const t = useT();
  if (event === null) {
    return (
      <div>
        {name}
        <div className={styles['of']}>{t.queues.deadlineOf}</div>
      </div>
    );
  }
  const { streamType, streamId, version } = event;
  const path = pathOf(streamType, streamId);
  const entity = t.entity.types[streamType as EntityType] ?? streamType;
  return (
    <div>
      {path === null ? (
        name
      ) : (
        <Link href={`${path}?version=${version}`} className="link" title={streamId}>
          {name}
        </Link>
      )}
      <div className={styles['of']}>{t.queues.eventOf(entity, version)}</div>
    </div>
  );
};
