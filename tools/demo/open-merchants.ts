import { sellerDetails } from '../stack/seller.js';
import type { StoryParts } from './narration.js';
import { draftMerchant, Onboarding } from './onboarding.js';
import { newReference } from './story.js';

/**
 * How far a merchant gets. `drafted`: documents are missing. `unsigned`: the signature is missing.
 * `signed`: the provider reviews the merchant.
 */
type Progress = 'drafted' | 'unsigned' | 'signed';

/** Onboards a merchant with this name, and stops at the given progress. Returns the company's id. */
export const leaveMerchant = async (
  parts: StoryParts,
  legalName: string,
  progress: Progress,
): Promise<string> => {
  const { company, ...details } = sellerDetails();
  const { status, body } = await draftMerchant(
    parts,
    { ...details, company: { ...(company as object), legalName } },
    newReference(legalName),
  );
  if (status !== 201) throw new Error(`${legalName} was refused: ${String(body['detail'])}`);
  const onboarding = new Onboarding(parts, String(body['id']));
  const companyId = await onboarding.registered();
  if (progress === 'drafted') return companyId;
  await onboarding.sendPapers();
  if (progress === 'unsigned') return companyId;
  await onboarding.sign(companyId);
  return companyId;
};

/**
 * Leaves a merchant whose review does not end: once a status is set by hand, the sandbox no longer
 * changes it as time passes. The merchant counts as silent after seven days.
 */
export const leaveSilentMerchant = async (parts: StoryParts): Promise<void> => {
  const companyId = await leaveMerchant(parts, 'Horlogerie Blanc', 'signed');
  const answer = await fetch(
    `${parts.sandboxUrl}/api/partners/company-status?company=${companyId}`,
    {
      method: 'PATCH',
      headers: {
        authorization: `Basic ${Buffer.from(`${parts.partnerKey}:`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ status: 'pendingActivation' }),
    },
  );
  if (!answer.ok) throw new Error(`${companyId}: ${answer.status} ${await answer.text()}`);
};
