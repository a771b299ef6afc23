import { lazy, Suspense } from 'react';
import { Center, Loader } from '@mantine/core';
import { PasswordPage } from './session/password-page';
import { SessionProvider } from './session/session-context';
import { useSessionQuery } from './session/session-query';
import { SignInPage } from './session/sign-in-page';
import { ProblemAlert } from './shared/problem-alert';
import { useT } from './i18n/i18n';

/** The rest is loaded beside the first question to the server, not after its answer. */
const shell = import('./shell/shell');
const Shell = lazy(async () => ({ default: (await shell).Shell }));

const Waiting = () => {
  const t = useT();
  return (
    <Center h="100vh">
      <Loader aria-label={t.shared.loading} />
    </Center>
  );
};

/** The door, and behind it the console. */
export const App = () => {
  const { data: session, error, refetch } = useSessionQuery();
  if (session === undefined) {
    if (error === null) return <Waiting />;
    return <Center h="100vh"><ProblemAlert error={error} retry={refetch} /></Center>;
  }
  if (session === null) return <SignInPage />;
  if (session.mustChangePassword) return <PasswordPage />;
  return (
    <SessionProvider value={session}>
      <Suspense fallback={<Waiting />}>
        <Shell />
      </Suspense>
    </SessionProvider>
  );
};
