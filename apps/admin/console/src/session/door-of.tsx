import { CodePage } from './code-page';
import { PasswordPage } from './password-page';
import { RecoveryCodesPage } from './recovery-codes-page';
import { SecondFactorPage } from './second-factor-page';
import type { DoorStep, SessionState } from './session-query';
import { SignInPage } from './sign-in-page';

interface DoorOfProps {
  readonly step: DoorStep;
  readonly state: SessionState;
}

/** The page that a user must complete before the console is shown, such as the sign-in. */
export const DoorOf = ({ step, state }: DoorOfProps) => {
  switch (step) {
    case 'sign_in':
      return state.status === 'ended' ? <SignInPage ended={state.session} /> : <SignInPage />;
    case 'code':
      return <CodePage />;
    case 'password':
      return <PasswordPage />;
    case 'set_up':
      return <SecondFactorPage />;
    case 'recovery_codes':
      return (
        <RecoveryCodesPage codes={(state.status === 'signed_in' && state.recoveryCodes) || []} />
      );
  }
};
