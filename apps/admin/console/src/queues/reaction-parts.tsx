import { Link } from 'wouter';
import { EntityLink } from '../entity/entity-link';
import { type EntityType, pathOf } from '../entity/entity-types';
import { eventText } from '../i18n/event-text';
import { useI18n, useT } from '../i18n/i18n';
import { formatAge } from '../shared/format';
import { StatusBadge } from '../shared/status-badge';
import { useWallNow } from '../shared/time';
import styles from './queues.module.css';

/** A workflow with its order or merchant. */
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

/** The state of a failed reaction: retrying, or blocked if `retryAt` is null. */
export const ReactionState = ({ retryAt }: { readonly retryAt: string | null }) => {
  const { t, locale } = useI18n();
  const now = useWallNow();
  if (retryAt === null) return <StatusBadge tone="bad" label={t.queues.blocked} />;
  // The shown time of the next retry is never in the past, because a due retry runs within a
  // second.
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

/** The message of an error; its stack is shown on demand. */
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
  /** The event that triggered the reaction; null for a deadline. */
  readonly event: {
    readonly streamType: string;
    readonly streamId: string;
    readonly version: number;
  } | null;
}

/**
 * The trigger of a reaction. If the trigger is an event, it links to the state of the entity after
 * this event.
 */
export const Stimulus = ({ name, event }: StimulusProps) => {
  const t = useT();
  if (event === null) {
    return (
      <div>
        {t.deadlines[name] ?? name}
        <div className={styles['of']}>{t.queues.deadlineOf}</div>
      </div>
    );
  }
  const { streamType, streamId, version } = event;
  const path = pathOf(streamType, streamId);
  const text = eventText(t, name) ?? name;
  const entity = t.entity.types[streamType as EntityType] ?? streamType;
  return (
    <div>
      {path === null ? (
        text
      ) : (
        <Link href={`${path}?version=${version}`} className="link" title={streamId}>
          {text}
        </Link>
      )}
      <div className={styles['of']}>{t.queues.eventOf(entity, version)}</div>
    </div>
  );
};
