import { Activity, lazy, Suspense, useEffect } from 'react';
import { Center, Loader } from '@mantine/core';
import { endFirstView } from './first-view/first-view-page';
import { DoorOf } from './session/door-of';
import { SessionProvider } from './session/session-context';
import { doorStepOf, useSessionQuery, useSignInElsewhere } from './session/session-query';
import { SignInPage } from './session/sign-in-page';
import { ProblemAlert } from './shared/problem-alert';
import { useT } from './i18n/i18n';

/** Loaded in parallel with the session query. */
const shell = import('./shell/shell');
const Shell = lazy(async () => ({ default: (await shell).Shell }));

const Waiting = () => {
  const t = useT();
  return (
    <Center h="100vh">
      <Loader role="status" aria-label={t.shared.loading} />
    </Center>
  );
};

/** The sign-in page or the console. The console keeps its state when the session expires. */
export const App = () => {
  const { data: state, error, refetch } = useSessionQuery();
  useSignInElsewhere();
  const isDoor = state === undefined ? error !== null : doorStepOf(state) !== null;
  useEffect(() => {
    if (isDoor) endFirstView();
  }, [isDoor]);
  if (state === undefined) {
    if (error === null) return <Waiting />;
    return (
      <Center h="100vh">
        <ProblemAlert error={error} retry={refetch} />
      </Center>
    );
  }
  if (state.status === 'signed_out') {
    return state.failure === undefined ? <SignInPage /> : <SignInPage failure={state.failure} />;
  }
  const { session } = state;
  const isKept = state.status === 'ended' || state.isKept;
  const step = doorStepOf(state);
  return (
    <>
      {isKept && (
        <Activity key={session.userId} mode={step === null ? 'visible' : 'hidden'}>
          <SessionProvider value={session}>
            <Suspense fallback={<Waiting />}>
              <Shell />
            </Suspense>
          </SessionProvider>
        </Activity>
      )}
      {step !== null && (
        <SessionProvider value={session}>
          <DoorOf step={step} state={state} />
        </SessionProvider>
      )}
    </>
  );
};
