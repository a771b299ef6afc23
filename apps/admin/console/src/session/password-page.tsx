import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { PasswordForm } from './password-form';

/** The page to replace a one-time password. */
export const PasswordPage = () => {
  const t = useT();
  useTitle(t.session.firstTitle);
  return (
    <DoorPage title={t.session.firstTitle} lead={t.session.firstLead}>
      <PasswordForm />
    </DoorPage>
  );
};
