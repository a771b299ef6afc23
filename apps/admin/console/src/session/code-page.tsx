import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { CodeField } from './code-field';
import { DoorPage } from './door-page';
import { OtherUser } from './other-user';
import { useDoors } from './session-query';

/** The page to enter a code of the second factor, after the password. */
export const CodePage = () => {
  const t = useT();
  const { giveSecondFactor } = useDoors();
  useTitle(t.session.codeTitle);
  return (
    <DoorPage title={t.session.codeTitle} lead={t.session.codeLead}>
      <CodeField label={t.session.code} submit={t.session.giveCode} send={giveSecondFactor} />
      <OtherUser />
    </DoorPage>
  );
};
