import { Group, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { type Action, usePendingActions } from '../actions/action';
import { ActionButtons } from '../actions/action-buttons';
import { actionsForCall } from '../actions/entity-actions';
import type { TimelineEntry } from '../entity/entity-types';
import { useT } from '../i18n/i18n';
import { ReactionState } from '../queues/reaction-parts';
import { Amount } from '../shared/amount';
import { Note } from '../shared/note';
import { StatusBadge, type Tone } from '../shared/status-badge';
import { Age } from '../shared/time';
import { UnmadeRefunds, unmadeIn } from './unmade-refunds';

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
  const { kind, about, requestedByName, requestedAt } = action;
  return (
    <Group gap="sm">
      <StatusBadge tone="wait" label={t.actions.statuses.pending} />
      <Text fw={600}>{t.actions.kinds[kind]}</Text>
      {about !== null && <Amount {...about} />}
      <Text size="sm" c="dimmed">
        {t.entity.by} {requestedByName}, <Age at={requestedAt} isWall />
      </Text>
      <Link href="/approvals?status=pending" className="link">
        {t.actions.toApprovals}
      </Link>
    </Group>
  );
};

interface WaitingPanelProps {
  readonly entries: readonly TimelineEntry[];
  readonly id: string;
  readonly state: Readonly<Record<string, unknown>>;
  readonly currency: string | null;
}

/** Pending work: failed reactions, open requests, approvals and deadlines. */
export const WaitingPanel = ({ entries, id, state, currency }: WaitingPanelProps) => {
  const t = useT();
  const unmade = unmadeIn(state);
  const jobs = entries.filter(({ kind, data }) => kind === 'job' && data['state'] !== 'done');
  const failed = entries.filter(
    ({ kind, data }) => kind === 'saga' && data['waiting'] !== undefined,
  );
  const deadlines = entries.filter(({ kind }) => kind === 'deadline');
  const asked = useAsked(entries);
  return (
    <section className="card" aria-labelledby="waiting">
      <Stack p="md" gap="xs">
        <Title order={2} size="h4" id="waiting">
          {t.entity.waiting}
        </Title>
        {unmade.length + jobs.length + failed.length + asked.length + deadlines.length === 0 && (
          <Text c="dimmed" size="sm">
            {t.entity.waitingNothing}
          </Text>
        )}
        <UnmadeRefunds paymentId={id} refunds={unmade} currency={currency} />
        {failed.map((entry) => (
          <FailedReaction key={entry.id} entry={entry} />
        ))}
        {jobs.map(({ id, name, subjectId, data }) => {
          const state = textOf(data['state']);
          return (
            <Group key={id} gap="sm">
              <StatusBadge
                tone={JOB_TONES[state] ?? 'wait'}
                label={t.entity.jobStates[state] ?? state}
              />
              <Text fw={600}>{t.calls[name] ?? name}</Text>
              <Text size="sm" c="dimmed">
                {t.entity.tries(Number(data['tries'] ?? 0))}
              </Text>
              {textOf(data['note']) !== '' && (
                <Text size="sm">
                  <Note text={textOf(data['note'])} />
                </Text>
              )}
              {state === 'stuck' && (
                <ActionButtons
                  isCompact
                  subject={`${t.calls[name] ?? name} ${subjectId}`}
                  requests={actionsForCall(textOf(data['jobId']), subjectId, name)}
                />
              )}
            </Group>
          );
        })}
        {asked.map((action) => (
          <Asked key={action.id} action={action} />
        ))}
        {deadlines.map(({ id, name, at }) => (
          <Group key={id} gap="sm">
            <StatusBadge tone="calm" label={t.entity.kind.deadline} />
            <Text fw={600}>{t.deadlines[name] ?? name}</Text>
            <Text size="sm" c="dimmed">
              <Age at={at} />
            </Text>
          </Group>
        ))}
      </Stack>
    </section>
  );
};
