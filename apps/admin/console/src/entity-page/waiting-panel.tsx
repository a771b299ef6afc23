import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { type Action, usePendingActions } from '../actions/action';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForCall } from '../actions/entity-actions';
import type { EntityType, TimelineEntry } from '../entity/entity-types';
import styles from '../entity/entity.module.css';
import { useTravelVersion } from '../entity/travel';
import { useI18n, useT } from '../i18n/i18n';
import { pendingOf } from '../payments/pending-text';
import { rejectedRefundsIn } from '../payments/payment-state';
import { objectOf } from '../payments/requests';
import { ReactionState } from '../queues/reaction-parts';
import { Amounts } from '../shared/amount';
import { formatMoment } from '../shared/format';
import { Note } from '../shared/note';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Age } from '../shared/time';
import { jobText } from './job-text';
import { RejectedRefunds } from './rejected-refunds';

const JOB_TONES: Readonly<Record<string, Tone>> = {
  ready: 'busy',
  calling: 'busy',
  waiting: 'wait',
  stuck: 'bad',
  done: 'ok',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A failed saga reaction, which blocks all later reactions for the same order or merchant. */
const FailedReaction = ({ entry }: { readonly entry: TimelineEntry }) => {
  const t = useT();
  const { name: saga, subjectId: key, data } = entry;
  const { error } = data['waiting'] as { readonly error: string };
  const workflow = t.workflows[saga] ?? saga;
  return (
    <Group gap="sm">
      <ReactionState retryAt={data['retryAt'] as string | null} />
      <Text fw={600}>{workflow}</Text>
      <Text size="sm" lang="en">
        {error.trim().split('\n', 1)[0]}
      </Text>
      <ActionButtons
        isCompact
        subject={`${workflow} ${key}`}
        requests={[{ kind: 'retry_reaction', target: { subjectId: key, saga } }]}
      />
      <Link href="/queues?view=failed" className="link">
        {t.queues.views.failed}
      </Link>
    </Group>
  );
};

/** The action requests about these entries that await approval. */
const useAsked = (entries: readonly TimelineEntry[]): readonly Action[] => {
  const { data = [] } = usePendingActions();
  const ids = new Set(entries.map(({ subjectId }) => subjectId));
  return data.filter(({ about, subjectId }) => ids.has(about?.subjectId ?? subjectId));
};

const Asked = ({ action }: { readonly action: Action }) => {
  const t = useT();
  const { kind, amounts, requestedByName, requestedAt } = action;
  return (
    <Group gap="sm">
      <StatusBadge tone="wait" label={t.actions.statuses.pending} />
      <Text fw={600}>{t.actions.kinds[kind]}</Text>
      <Amounts of={amounts} />
      <Text size="sm" c="dimmed">
        {t.entity.by} {requestedByName}, <Age at={requestedAt} isWall />
      </Text>
      <Link href="/approvals?status=pending" className="link">
        {t.actions.toApprovals}
      </Link>
    </Group>
  );
};

const Job = ({ job, isOnCard }: { readonly job: TimelineEntry; readonly isOnCard: boolean }) => {
  const { t, locale } = useI18n();
  const { name, subjectId, data } = job;
  const work = t.calls[name] ?? name;
  const note = textOf(data['note']);
  const state = textOf(data['state']);
  return (
    <div className={styles['line']}>
      <StatusBadge tone={JOB_TONES[state] ?? 'wait'} label={t.entity.jobStates[state] ?? state} />
      <p>
        {jobText(t, job, locale)}{' '}
        {note !== '' && (
          <span className={styles['sentence']}>
            <Note text={note} />
          </span>
        )}
      </p>
      {state === 'stuck' && !isOnCard && (
        <ActionButtons
          isCompact
          subject={`${work} ${subjectId}`}
          requests={actionsForCall(textOf(data['jobId']), subjectId, name)}
        />
      )}
    </div>
  );
};

/** A sentence about pending work, with the time until the work is due. */
const Sentence = ({ tone, label, text, at }: SentenceProps) => (
  <div className={styles['line']}>
    <StatusBadge tone={tone} label={label} />
    <p>
      {text}{' '}
      {at !== undefined && (
        <Text span size="sm" c="dimmed">
          <Age at={at} />
        </Text>
      )}
    </p>
  </div>
);

interface SentenceProps {
  readonly tone: Tone;
  readonly label: string;
  readonly text: string;
  readonly at?: string | undefined;
}

/** A deadline as a sentence; if no sentence is defined, its name. */
const Deadline = ({ entry: { name, at } }: { readonly entry: TimelineEntry }) => {
  const { t, locale } = useI18n();
  const text = t.dueSentences[name]?.(formatMoment(at, locale)) ?? t.deadlines[name] ?? name;
  return <Sentence tone="calm" label={t.entity.kind.deadline} text={text} at={at} />;
};

interface WaitingPanelProps {
  readonly type: EntityType;
  readonly entries: readonly TimelineEntry[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
}

/**
 * Pending work: failed reactions, open requests, approvals and deadlines. For an earlier time, the
 * page shows only the pending work that the state of a payment contains.
 */
export const WaitingPanel = ({ type, entries: all, state, currency }: WaitingPanelProps) => {
  const { t, locale } = useI18n();
  const isPast = useTravelVersion() !== null;
  const entries = isPast ? [] : all;
  const rejected = rejectedRefundsIn(state);
  const jobs = entries.filter(({ kind, data }) => kind === 'job' && data['state'] !== 'done');
  const failed = entries.filter(
    ({ kind, data }) => kind === 'saga' && data['waiting'] !== undefined,
  );
  const deadlines = entries.filter(({ kind }) => kind === 'deadline');
  const asked = useAsked(entries);
  const objects = jobs.map((job) => objectOf(entries, job));
  // A capture or refund with an open provider request is listed once, as the request, and not again
  // from the payment's state.
  const pending =
    type === 'payment' && currency !== null
      ? pendingOf(state, { t, locale, currency }).filter(({ id }) => !objects.includes(id))
      : [];
  const count =
    rejected.length +
    jobs.length +
    failed.length +
    asked.length +
    deadlines.length +
    pending.length;
  if (isPast && type !== 'payment') return null;
  return (
    <section className="card" aria-labelledby="waiting">
      <Stack p="md" gap="xs">
        <Title order={2} size="h4" id="waiting">
          {t.entity.waiting}
        </Title>
        {count === 0 && (
          <Text c="dimmed" size="sm">
            {t.entity.waitingNothing}
          </Text>
        )}
        <RejectedRefunds refunds={rejected} currency={currency} />
        {failed.map((entry) => (
          <FailedReaction key={entry.id} entry={entry} />
        ))}
        {jobs.map((job, index) => (
          <Job key={job.id} job={job} isOnCard={type === 'payment' && objects[index] !== null} />
        ))}
        {pending.map((one) => (
          <Sentence key={one.id} tone="busy" label={t.entity.waiting} text={one.text} at={one.at} />
        ))}
        {asked.map((action) => (
          <Asked key={action.id} action={action} />
        ))}
        {deadlines.map((entry) => (
          <Deadline key={entry.id} entry={entry} />
        ))}
      </Stack>
    </section>
  );
};
