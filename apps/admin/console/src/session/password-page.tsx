import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { PasswordForm } from './password-form';

/** Where a one-time password leads to. */
export const PasswordPage = () => {
  const t = useT();
  useTitle(t.session.firstTitle);
  return (
    <DoorPage title={t.session.firstTitle} lead={t.session.firstLead}>
      <PasswordForm />
    </DoorPage>
  );
};
