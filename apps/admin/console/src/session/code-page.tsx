import { useT } from '../i18n/i18n';
import { useTitle } from '../shared/use-title';
import { DoorPage } from './door-page';
import { OtherUser } from './other-user';
import { ProofForm } from './proof-form';
import { useSession } from './session-context';
import { useFactors } from './use-factors';

/** The page to enter a code of the second factor, after the password. */
export const CodePage = () => {
  const t = useT();
  const { hasSecurityKey } = useSession();
  const { giveSecondFactor } = useFactors();
  const title = hasSecurityKey ? t.session.factorTitle : t.session.codeTitle;
  useTitle(title);
  return (
    <DoorPage title={title} lead={hasSecurityKey ? t.session.factorLead : t.session.codeLead}>
      <ProofForm submit={t.session.giveCode} send={giveSecondFactor} />
      <OtherUser />
    </DoorPage>
  );
};
