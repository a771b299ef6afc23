import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PendingDialog } from '../actions/pending-dialog';
import { useT } from '../i18n/i18n';
import { DataTable } from '../list/data-table';
import { useMay } from '../session/session-context';
import { useIdentityProvider } from '../session/session-query';
import { PageHeader } from '../shared/page-header';
import { ProblemAlert } from '../shared/problem-alert';
import { ShownOnce } from '../shared/shown-once';
import { type Changed, UserDialog, type UserIntent } from './user-dialog';
import { readUsers, USERS_KEY } from './user';
import { userColumns } from './user-columns';

/** The users of the console and their roles. */
export const UsersPage = () => {
  const t = useT();
  const mayChange = useMay('admin');
  const users = useQuery({ queryKey: USERS_KEY, queryFn: readUsers });
  const hasProvider = useIdentityProvider() !== null;
  const [intent, setIntent] = useState<UserIntent | null>(null);
  const [changed, setChanged] = useState<{ name: string; of: Changed } | null>(null);
  const { oneTimePassword = null, action = null } = changed?.of ?? {};
  const forget = () => setChanged(null);
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
            label={t.users.title}
            rows={users.data}
            keyOf={({ id }) => id}
            columns={userColumns(t, hasProvider, mayChange ? setIntent : null)}
          />
        )}
      </div>
      {intent !== null && (
        <UserDialog
          intent={intent}
          hasProvider={hasProvider}
          onClose={() => setIntent(null)}
          onChanged={(name, of) => setChanged({ name, of })}
        />
      )}
      {changed !== null && oneTimePassword !== null && (
        <ShownOnce
          title={t.users.passwordTitle(changed.name)}
          text={oneTimePassword}
          onClose={forget}
          lead={
            action === null
              ? t.users.passwordLead
              : `${t.users.passwordLead} ${t.actions.secretWaits}`
          }
        />
      )}
      {action !== null && oneTimePassword === null && (
        <PendingDialog action={action} onClose={forget} />
      )}
    </>
  );
};
