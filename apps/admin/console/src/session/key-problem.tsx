import { Alert } from '@mantine/core';
import { useT } from '../i18n/i18n';
import { ApiProblem } from '../api/client';
import { ProblemAlert } from '../shared/problem-alert';

/** Why a security key was not used: the error of the server, or of the browser. */
export const KeyProblem = ({ error }: { readonly error: Error }) => {
  const t = useT();
  if (error instanceof ApiProblem) return <ProblemAlert error={error} />;
  const isKnown = error.name === 'InvalidStateError';
  return (
    <Alert color="red" role="alert">
      {isKnown ? t.session.keyKnown : t.session.keyCanceled}
    </Alert>
  );
};
