import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Action, hasNoEffect, type Preview } from '../actions/action';
import { ActionResult } from '../actions/action-result';
import { PreviewView } from '../actions/preview-view';
import { ApiProblem, api, bodyOf, csrf } from '../api/client';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { ReasonDialog } from '../shared/reason-dialog';
import { SubjectLink } from './subject-link';

export interface Decision {
  readonly kind: 'approve' | 'reject' | 'withdraw';
  readonly action: Action;
}

interface ApproveProps {
  readonly action: Action;
  readonly onClose: () => void;
  readonly onReject: () => void;
}

/** The errors that no later preview ends: the action must be rejected. */
const FINAL: readonly string[] = ['requests_changed', 'not_stuck'];

const isFinal = (error: Error | null): boolean =>
  error instanceof ApiProblem && FINAL.includes(error.code);

/**
 * Shows the approver the current effect, which may differ from the requester's preview. The effect
 * is not refetched in the background, so that approvers approve exactly what they have read.
 */
const Approve = ({ action, onClose, onReject }: ApproveProps) => {
  const t = useT();
  const queries = useQueryClient();
  const params = { path: { id: action.id } };
  const preview = useQuery({
    queryKey: ['action-preview', action.id],
    queryFn: () => bodyOf(api.GET('/v1/actions/{id}/preview', { params })),
    staleTime: 'static',
    gcTime: 0,
  });
  const going = useMutation({
    mutationFn: (seen: Preview) =>
      bodyOf(
        api.POST('/v1/actions/{id}/approve', {
          params: { ...params, header: csrf() },
          body: { seen: seen.digest },
        }),
      ),
    onSuccess: () => void queries.invalidateQueries(),
  });
  const error = going.error ?? preview.error;
  const seen = error === null && !preview.isFetching ? preview.data : undefined;
  // The action was overtaken since its request, e.g. by the platform's capture.
  const isOvertaken = hasNoEffect(action.kind, seen);
  const previewAgain = (): void => {
    going.reset();
    void preview.refetch();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t.shared.labeled(t.approvals.approve, t.actions.kinds[action.kind])}
      closeButtonProps={{ 'aria-label': t.shared.close }}
    >
      {going.data !== undefined ? (
        <ActionResult action={going.data} onClose={onClose} />
      ) : (
        <Stack>
          {action.about === null && <SubjectLink action={action} />}
          <Text size="sm">{t.approvals.reasonOf(action.requestedByName, action.reason)}</Text>
          {preview.isFetching && <Skeleton height={120} />}
          {seen !== undefined && <PreviewView preview={seen} />}
          {isOvertaken && <Text size="sm">{t.actions.noEffect}</Text>}
          {error !== null && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.shared.back}
            </Button>
            {isFinal(error) || isOvertaken ? (
              <Button onClick={onReject}>{t.approvals.reject}</Button>
            ) : (
              <Button
                loading={going.isPending || preview.isFetching}
                onClick={() => (seen === undefined ? previewAgain() : going.mutate(seen))}
              >
                {error === null ? t.approvals.approveDo : t.actions.runPreview}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  );
};

export const DecideDialog = ({
  decision,
  onClose,
}: {
  readonly decision: Decision;
  readonly onClose: () => void;
}) => {
  const t = useT();
  const queries = useQueryClient();
  const { action } = decision;
  const [kind, setKind] = useState(decision.kind);
  if (kind === 'approve') {
    return <Approve action={action} onClose={onClose} onReject={() => setKind('reject')} />;
  }
  return (
    <ReasonDialog
      title={t.shared.labeled(t.approvals[kind], t.actions.kinds[action.kind])}
      lead={t.approvals.leads[kind]}
      submit={t.approvals[kind]}
      onClose={onClose}
      act={async (reason) => {
        await bodyOf(
          api.POST('/v1/actions/{id}/reject', {
            params: { path: { id: action.id }, header: csrf() },
            body: { reason },
          }),
        );
        void queries.invalidateQueries();
      }}
    />
  );
};
