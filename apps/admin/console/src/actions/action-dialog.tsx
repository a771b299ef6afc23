import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { wrongField } from '../shared/wrong-fields';
import {
  changesNothing,
  dryRun,
  movesMoney,
  onlyRecords,
  type Preview,
  requestAction,
  type Wish,
} from './action';
import { ActionResult } from './action-result';
import { WishFields } from './wish-fields';
import { PreviewView } from './preview-view';

interface ActionDialogProps {
  readonly wish: Wish;
  /** To what it is done, in words. */
  readonly subject: string;
  readonly onClose: () => void;
}

const MIN_CHARS = 3;

/** Nothing typed is all that is left. */
const isAmountWrong = ({ target: { amountMinor } }: Wish): boolean =>
  amountMinor !== undefined && amountMinor < 1;

/** What is asked, and what was found for just that. */
const useDryRun = (wish: Wish, reason: string) => {
  const [seenFor, setSeenFor] = useState<Wish | null>(null);
  const run = useMutation({
    mutationFn: (asked: Wish) => dryRun(asked, reason),
    // The wish may be another by the time of the answer.
    onSuccess: (_, asked) => setSeenFor(asked),
  });
  // What was seen for another amount tells nothing of this one.
  return { run, preview: seenFor === wish ? run.data : undefined };
};

/** Something is put right: why, what would happen, and then, knowing it, that it shall. */
export const ActionDialog = ({ wish: first, subject, onClose }: ActionDialogProps) => {
  const t = useT();
  const queries = useQueryClient();
  const [wish, setWish] = useState(first);
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const { run, preview } = useDryRun(wish, reason.trim());
  const doing = useMutation({
    mutationFn: (seen: Preview) => requestAction(wish, reason.trim(), seen),
    onSuccess: () => void queries.invalidateQueries(),
    // It may be another by now: it is looked at again before it is asked for again.
    onError: () => run.reset(),
  });
  const error = run.error ?? doing.error;
  const isShort = reason.trim().length < MIN_CHARS;
  const isIdle = movesMoney(wish.kind) && preview !== undefined && changesNothing(preview);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isShort || isIdle || isAmountWrong(wish)) return;
    if (preview === undefined) run.mutate(wish);
    else doing.mutate(preview);
  };
  const needsSecond = movesMoney(wish.kind) && !isIdle;
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={`${t.actions.kinds[wish.kind]}: ${subject}`}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      {doing.data !== undefined ? (
        <ActionResult action={doing.data} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">
              {t.actions.leads[wish.kind]} <EntityLink id={wish.of ?? wish.target.subjectId} />
            </Text>
            <WishFields
              wish={wish}
              onChange={setWish}
              error={error}
              isAmountWrong={isTried && isAmountWrong(wish)}
            />
            <Textarea
              label={t.shared.reason}
              description={t.shared.reasonHint}
              value={reason}
              required
              withAsterisk={false}
              autosize
              minRows={2}
              maxLength={500}
              data-autofocus
              error={isTried && isShort ? t.shared.reasonShort : wrongField(error, 'reason')}
              onChange={(event) => setReason(event.target.value)}
            />
            {needsSecond && (
              <Alert variant="outline" color="indigo" c="inherit">
                {onlyRecords(wish) ? t.actions.secondRecords : t.actions.second}
              </Alert>
            )}
            <div aria-live="polite">
              {preview !== undefined && <PreviewView preview={preview} />}
              {isIdle && (
                <Text fw={600} size="sm" mt="sm">
                  {t.actions.idle}
                </Text>
              )}
              {error !== null && <ProblemAlert error={error} />}
            </div>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t.shared.cancel}
              </Button>
              {!isIdle && (
                <Button type="submit" loading={run.isPending || doing.isPending}>
                  {preview === undefined
                    ? t.actions.dryRun
                    : needsSecond
                      ? t.actions.ask
                      : t.actions.doIt}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
};
