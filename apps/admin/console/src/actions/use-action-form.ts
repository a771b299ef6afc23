import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  dryRun,
  hasNoEffect,
  movesMoney,
  type Preview,
  requestAction,
  type ActionRequest,
} from './action';

const MIN_REASON_CHARS = 3;

/** Whether the amount is invalid; no amount means the full remaining amount. */
const isAmountWrong = ({ target: { amountMinor } }: ActionRequest): boolean =>
  amountMinor !== undefined && amountMinor < 1;

/** The preview of a request; it is hidden as soon as the request changes. */
const usePreview = (request: ActionRequest, reason: string) => {
  const [previewed, setPreviewed] = useState<ActionRequest | null>(null);
  const previewing = useMutation({
    mutationFn: (requested: ActionRequest) => dryRun(requested, reason),
    // Stores for which request the preview was read, because the user may have changed the request
    // before the response arrives.
    onSuccess: (_, requested) => setPreviewed(requested),
  });
  return { previewing, preview: previewed === request ? previewing.data : undefined };
};

/** The state of the dialog of an action: first its preview, then its execution or request. */
export const useActionForm = (first: ActionRequest) => {
  const queries = useQueryClient();
  const [request, setRequest] = useState(first);
  const [reason, setReason] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const { previewing, preview } = usePreview(request, reason.trim());
  const requesting = useMutation({
    mutationFn: (seen: Preview) => requestAction(request, reason.trim(), seen),
    onSuccess: () => void queries.invalidateQueries(),
    // After an error the preview may be outdated: it is discarded, and the user must preview again.
    onError: () => previewing.reset(),
  });
  const isShort = reason.trim().length < MIN_REASON_CHARS;
  const isWithoutEffect = hasNoEffect(request.kind, preview);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (isShort || isWithoutEffect || isAmountWrong(request)) return;
    if (preview === undefined) {
      // Otherwise the error of the earlier request would be shown beside the new preview.
      requesting.reset();
      previewing.mutate(request);
    } else requesting.mutate(preview);
  };
  return {
    request,
    setRequest,
    reason,
    setReason,
    preview,
    submit,
    hasNoEffect: isWithoutEffect,
    needsSecond: movesMoney(request.kind) && !isWithoutEffect,
    isReasonShort: isSubmitted && isShort,
    isAmountWrong: isSubmitted && isAmountWrong(request),
    isPending: previewing.isPending || requesting.isPending,
    error: previewing.error ?? requesting.error,
    result: requesting.data,
  };
};

export type ActionFormState = ReturnType<typeof useActionForm>;
