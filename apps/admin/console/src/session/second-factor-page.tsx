import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { OtherUser } from './other-user';
import { SecondFactorForm } from './second-factor-form';

/** The page to set up the second factor that the user's role requires. */
export const SecondFactorPage = () => {
  const t = useT();
  useTitle(t.session.setUpTitle);
  return (
    <DoorPage title={t.session.setUpTitle} lead={t.session.setUpRequired}>
      <SecondFactorForm isReplaced={false} />
      <OtherUser />
    </DoorPage>
  );
};
