import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionButtons } from '../actions/action-buttons';
import { ApiProblem } from '../api/client';
import { useT } from '../i18n/i18n';
import { useMay } from '../session/session-context';
import { ProblemAlert } from '../shared/problem-alert';
import { allCasesOf, type Case, snoozeCase, takeCase } from './case';
import { SnoozeDialog, useDeed } from './case-people';
import { retrySelected } from './playbook';

/** The maximum number of cases that can be changed together; each change is one request. */
const MAX_CASES = 200;

/** Applies a change to each selected case, except cases that have ended meanwhile. */
const changeAll = async (
  rows: readonly Case[],
  change: (id: string) => Promise<unknown>,
): Promise<void> => {
  for (const row of rows) {
    for (const id of await allCasesOf(row)) {
      try {
        await change(id);
      } catch (error) {
        if (!(error instanceof ApiProblem && error.code === 'case_not_found')) throw error;
      }
    }
  }
};

interface CaseBulkProps {
  readonly rows: readonly Case[];
  readonly onDone: () => void;
}

/**
 * The buttons to retry, assign or snooze the selected cases. A selected incident stands for all its
 * cases.
 */
export const CaseBulk = ({ rows, onDone }: CaseBulkProps) => {
  const t = useT();
  const mayAct = useMay('operator');
  const [isSnoozing, setSnoozing] = useState(false);
  const taking = useDeed(() => changeAll(rows, takeCase));
  const snoozing = useDeed(({ reason, until }: { reason: string; until: string }) =>
    changeAll(rows, (id) => snoozeCase(id, reason, until)),
  );
  const count = rows.reduce((sum, { cases }) => sum + cases, 0);
  if (!mayAct || rows.length === 0) return null;
  const retry = retrySelected(rows);
  const retrying = retry !== null && (
    <ActionButtons requests={[retry]} subject={t.cases.selected(count)} isCompact />
  );
  if (count > MAX_CASES) {
    return (
      <>
        {retrying}
        <Text size="sm">{t.cases.tooManySelected(MAX_CASES)}</Text>
      </>
    );
  }
  return (
    <>
      <Text size="sm">{t.cases.selected(count)}</Text>
      {retrying}
      <Button
        size="compact-md"
        loading={taking.isPending}
        onClick={() => taking.mutate(undefined, { onSuccess: onDone })}
      >
        {t.cases.take}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setSnoozing(true)}>
        {t.cases.snooze}
      </Button>
      {taking.error !== null && <ProblemAlert error={taking.error} />}
      {isSnoozing && (
        <SnoozeDialog
          snooze={async (reason, until) => {
            await snoozing.mutateAsync({ reason, until });
            onDone();
          }}
          onClose={() => setSnoozing(false)}
        />
      )}
    </>
  );
};
