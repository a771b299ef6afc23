import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from './problem-alert';
import { wrongField } from './wrong-fields';

const MIN_CHARS = 3;

export interface ReasonDialogProps {
  readonly title: string;
  /** The text that explains the effect of the action. */
  readonly lead: string;
  readonly submit: string;
  readonly onClose: () => void;
  /**
   * Executes the action. If the returned promise rejects, the dialog stays open and shows the
   * error.
   */
  readonly act: (reason: string) => Promise<unknown>;
  readonly isReady?: boolean;
  readonly isDangerous?: boolean;
  /** Renders further fields above the reason; the argument is the error of the last attempt. */
  readonly children?: (error: Error | null) => ReactNode;
}

/** A dialog to give the reason of a user's action, which the audit log records. */
export const ReasonDialog = ({
  title,
  lead,
  submit,
  onClose,
  act,
  isReady = true,
  isDangerous = false,
  children,
}: ReasonDialogProps) => {
  const t = useT();
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const going = useMutation({ mutationFn: () => act(reason.trim()), onSuccess: onClose });
  const isShort = reason.trim().length < MIN_CHARS;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isShort && isReady) going.mutate();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      <form onSubmit={send}>
        <Stack>
          <Text size="sm">{lead}</Text>
          {children?.(going.error)}
          <Textarea
            label={t.shared.reason}
            description={t.shared.reasonHint}
            value={reason}
            required
            withAsterisk={false}
            autosize
            minRows={2}
            maxLength={500}
            error={isTried && isShort ? t.shared.reasonShort : wrongField(going.error, 'reason')}
            onChange={(event) => setReason(event.target.value)}
          />
          {going.error !== null && <ProblemAlert error={going.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.shared.back}
            </Button>
            <Button
              type="submit"
              loading={going.isPending}
              {...(isDangerous ? { color: 'red.9' } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
