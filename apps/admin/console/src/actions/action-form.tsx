import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { EntityLink } from '../entity/entity-link';
import { useT } from '../i18n/i18n';
import { ProblemAlert } from '../shared/problem-alert';
import { wrongField } from '../shared/wrong-fields';
import { onlyRecords } from './action';
import { PreviewView } from './preview-view';
import type { ActionFormState } from './use-action-form';
import { ActionFields } from './action-fields';

interface FormProps {
  readonly form: ActionFormState;
}

const Fields = ({ form }: FormProps) => {
  const t = useT();
  const { request, setRequest, reason, setReason, error, isAmountWrong, isReasonShort } = form;
  return (
    <>
      <Text size="sm">
        {t.actions.leads[request.kind]}{' '}
        {request.kind !== 'retry_requests' && (
          <EntityLink id={request.of ?? request.target.subjectId} />
        )}
      </Text>
      <ActionFields
        request={request}
        onChange={setRequest}
        error={error}
        isAmountWrong={isAmountWrong}
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
        error={isReasonShort ? t.shared.reasonShort : wrongField(error, 'reason')}
        onChange={(event) => setReason(event.target.value)}
      />
    </>
  );
};

const Effect = ({ form: { preview, hasNoEffect, error } }: FormProps) => {
  const t = useT();
  return (
    <div aria-live="polite">
      {preview !== undefined && <PreviewView preview={preview} />}
      {hasNoEffect && (
        <Text fw={600} size="sm" mt="sm">
          {t.actions.noEffect}
        </Text>
      )}
      {error !== null && <ProblemAlert error={error} />}
    </div>
  );
};

const SubmitButton = ({ form: { preview, needsSecond, isPending } }: FormProps) => {
  const { runPreview, requestApproval, run } = useT().actions;
  const label = needsSecond ? requestApproval : run;
  return (
    <Button type="submit" loading={isPending}>
      {preview === undefined ? runPreview : label}
    </Button>
  );
};

/** The fields of an action, its preview, and the buttons that preview and request it. */
export const ActionForm = ({ form, onClose }: FormProps & { readonly onClose: () => void }) => {
  const t = useT();
  const { request, needsSecond, hasNoEffect, submit } = form;
  return (
    <form onSubmit={submit}>
      <Stack>
        <Fields form={form} />
        {needsSecond && (
          <Alert variant="outline" color="indigo" c="inherit">
            {onlyRecords(request) ? t.actions.secondRecords : t.actions.second}
          </Alert>
        )}
        <Effect form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t.shared.back}
          </Button>
          {!hasNoEffect && <SubmitButton form={form} />}
        </Group>
      </Stack>
    </form>
  );
};
