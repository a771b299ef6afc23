import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useT } from '../i18n/i18n';
import { DataTable } from '../list/data-table';
import { useMay } from '../session/session-context';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { ShownOnce } from '../shared/shown-once';
import { UserDialog, type UserIntent } from './user-dialog';
import { readUsers, USERS_KEY } from './user';
import { userColumns } from './user-columns';

/** Who may come in, and as what. */
export const UsersPage = () => {
  const t = useT();
  const mayChange = useMay('admin');
  const users = useQuery({ queryKey: USERS_KEY, queryFn: readUsers });
  const [intent, setIntent] = useState<UserIntent | null>(null);
  const [password, setPassword] = useState<{ name: string; text: string } | null>(null);
  return (
    <>
      <PageHeader title={t.users.title} lead={mayChange ? t.users.lead : t.users.leadOthers}>
        {mayChange && (
          <Button onClick={() => setIntent({ kind: 'create' })}>{t.users.create}</Button>
        )}
      </PageHeader>
      {users.error !== null && <ProblemAlert error={users.error} retry={users.refetch} />}
      <div className="card">
        {users.isPending && <Skeleton height={160} />}
        {users.data !== undefined && (
          <DataTable
            label={t.users.title} rows={users.data} keyOf={({ id }) => id}
            columns={userColumns(t, mayChange ? setIntent : null)}
          />
        )}
      </div>
      {intent !== null && (
        <UserDialog
          intent={intent} onClose={() => setIntent(null)}
          onPassword={(name, text) => setPassword({ name, text })}
        />
      )}
      {password !== null && (
        <ShownOnce
          title={t.users.passwordTitle(password.name)} lead={t.users.passwordLead}
          text={password.text} onClose={() => setPassword(null)}
        />
      )}
    </>
  );
};
