import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useT } from '../i18n/i18n';
import { useMay, useSession } from '../session/session-context';
import { ProblemAlert } from '../shared/problem-alert';
import { ReasonDialog } from '../shared/reason-dialog';
import { Time } from '../shared/time';
import { wrongField } from '../shared/wrong-fields';
import { useActorName } from '../users/actor-name';
import { type Case, commentCase, releaseCase, snoozeCase, takeCase } from './case';

const DAYS = [1, 3, 7, 30];
const DAY_MS = 86_400_000;

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

/** The durations of a snooze, in days, that end before the deadline of the case. */
const daysBefore = (deadline: string | null): readonly number[] =>
  DAYS.filter((days) => deadline === null || inDays(days) <= new Date(deadline));

/**
 * A mutation of cases. All queries are fetched again even after an error, because some of the cases
 * may have been changed.
 */
export const useDeed = <Value, Result>(act: (value: Value) => Promise<Result>) => {
  const queries = useQueryClient();
  return useMutation({ mutationFn: act, onSettled: () => queries.invalidateQueries() });
};

interface SnoozeDialogProps {
  readonly snooze: (reason: string, until: string) => Promise<unknown>;
  readonly onClose: () => void;
  /** The durations that can be chosen, in days. */
  readonly choices?: readonly number[];
}

export const SnoozeDialog = ({ snooze, onClose, choices = DAYS }: SnoozeDialogProps) => {
  const t = useT();
  const [days, setDays] = useState(1);
  const { mutateAsync } = useDeed((reason: string) => snooze(reason, inDays(days).toISOString()));
  return (
    <ReasonDialog
      title={t.cases.snooze}
      lead={t.cases.snoozeLead}
      submit={t.cases.snooze}
      onClose={onClose}
      act={mutateAsync}
    >
      {() => (
        <NativeSelect
          label={t.cases.snoozeFor}
          value={String(days)}
          data={choices.map((value) => ({ value: String(value), label: t.cases.days(value) }))}
          onChange={(event) => setDays(Number(event.target.value))}
        />
      )}
    </ReasonDialog>
  );
};

/** The buttons to become the owner of a case, to stop being its owner, and to snooze it. */
export const CaseOwner = ({ one }: { readonly one: Case }) => {
  const t = useT();
  const nameOf = useActorName();
  const { userId } = useSession();
  const mayAct = useMay('operator');
  const [isSnoozing, setSnoozing] = useState(false);
  const { id, ownerId, snoozedUntil, deadline } = one;
  const choices = daysBefore(deadline);
  const isMine = ownerId === userId;
  const owning = useDeed(() => (isMine ? releaseCase(id) : takeCase(id)));
  const [isWaking, setWaking] = useState(false);
  const waking = useDeed((reason: string) => snoozeCase(id, reason));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text fw={600}>
          {ownerId === null ? t.cases.owners.none : t.cases.ownedBy(nameOf(`user:${ownerId}`))}
        </Text>
        {mayAct && (
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant={ownerId === null ? 'filled' : 'default'}
              loading={owning.isPending}
              onClick={() => owning.mutate(undefined)}
            >
              {isMine ? t.cases.release : t.cases.take}
            </Button>
            {snoozedUntil === null && choices.length > 0 && (
              <Button size="compact-sm" variant="default" onClick={() => setSnoozing(true)}>
                {t.cases.snooze}
              </Button>
            )}
            {snoozedUntil !== null && (
              <Button size="compact-sm" variant="default" onClick={() => setWaking(true)}>
                {t.cases.wake}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {snoozedUntil !== null && (
        <Text size="sm">
          {t.cases.snoozedUntil} <Time at={snoozedUntil} />
        </Text>
      )}
      {owning.error !== null && <ProblemAlert error={owning.error} />}
      {isWaking && (
        <ReasonDialog
          title={t.cases.wake}
          lead={t.cases.wakeLead}
          submit={t.cases.wake}
          onClose={() => setWaking(false)}
          act={waking.mutateAsync}
        />
      )}
      {isSnoozing && (
        <SnoozeDialog
          snooze={(reason, until) => snoozeCase(id, reason, until)}
          onClose={() => setSnoozing(false)}
          choices={choices}
        />
      )}
    </Stack>
  );
};

/** The form to comment on a case. */
export const CommentForm = ({ id }: { readonly id: string }) => {
  const t = useT();
  const [text, setText] = useState('');
  const commenting = useDeed((words: string) => commentCase(id, words));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    commenting.mutate(text.trim(), { onSuccess: () => setText('') });
  };
  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        <Textarea
          label={t.cases.comment}
          description={t.cases.commentHint}
          value={text}
          autosize
          minRows={2}
          maxLength={2000}
          error={wrongField(commenting.error, 'text')}
          onChange={(event) => setText(event.target.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" size="compact-md" variant="default" loading={commenting.isPending}>
            {t.cases.addComment}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
