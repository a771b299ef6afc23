import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { ActionButtons } from '../actions/action-buttons';
import { useT } from '../i18n/i18n';
import { useMay, useSession } from '../session/session-context';
import { ProblemAlert } from '../shared/problem-alert';
import { ProblemText } from '../shared/problem-text';
import { type BulkResult, changeAll } from './bulk-change';
import { type Case, pathOfCase, snoozeCase, takeCase } from './case';
import { SnoozeDialog, useDeed } from './case-people';
import { titleOf } from './case-texts';
import { retrySelected } from './playbook';

/** The maximum number of cases that can be changed together; each change is one request. */
const MAX_CASES = 200;

/** The cases that a change of the selected cases left unchanged, each with the reason. */
const Unchanged = ({ result: { refused, skipped } }: { readonly result: BulkResult }) => {
  const t = useT();
  return (
    <div role="status">
      {skipped > 0 && <Text size="sm">{t.cases.skipped(skipped)}</Text>}
      {refused.length > 0 && (
        <>
          <Text size="sm">{t.cases.refused(refused.length)}</Text>
          <List size="sm">
            {refused.map(({ one, error }) => (
              <List.Item key={one.id}>
                <Link href={pathOfCase(one.id)} className="link">
                  {titleOf(t, { ...one, cases: 1 })}, {one.subjectId}
                </Link>
                <Text size="sm">
                  <ProblemText error={error} />
                </Text>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  );
};

interface CaseBulkProps {
  readonly rows: readonly Case[];
  readonly onDone: () => void;
  /** Called after each change with the number of selected incidents that were not found. */
  readonly onStale: (incidents: number) => void;
}

/**
 * The buttons to retry, assign or snooze the selected cases. A selected incident stands for all its
 * cases.
 */
export const CaseBulk = ({ rows, onDone, onStale }: CaseBulkProps) => {
  const t = useT();
  const mayAct = useMay('operator');
  const [isSnoozing, setSnoozing] = useState(false);
  const { userId } = useSession();
  const [result, setResult] = useState<BulkResult | null>(null);
  /**
   * Keeps the selection if some cases were left unchanged, so that the list of them stays visible.
   */
  const finish = (next: BulkResult): void => {
    setResult(next);
    onStale(next.stale);
    if (next.skipped + next.refused.length === 0) onDone();
  };
  const taking = useDeed(() =>
    changeAll(rows, takeCase, ({ ownerId }) => ownerId === null || ownerId === userId),
  );
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
        onClick={() => taking.mutate(undefined, { onSuccess: finish })}
      >
        {t.cases.take}
      </Button>
      <Button size="compact-md" variant="default" onClick={() => setSnoozing(true)}>
        {t.cases.snooze}
      </Button>
      {taking.error !== null && <ProblemAlert error={taking.error} />}
      {result !== null && <Unchanged result={result} />}
      {isSnoozing && (
        <SnoozeDialog
          snooze={async (reason, until) => {
            finish(await snoozing.mutateAsync({ reason, until }));
          }}
          onClose={() => setSnoozing(false)}
        />
      )}
    </>
  );
};
