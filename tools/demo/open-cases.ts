import { waitFor } from '#testing';
import { CARDS, Payer } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { sellerDetails } from '../stack/seller.js';
import { type StoryParts, WAIT } from './narration.js';
import { draftMerchant, Onboarding } from './onboarding.js';
import { leaveFailingEndpoint, requestClosing } from './open-decisions.js';
import { leaveProviderErrors } from './provider-errors.js';
import { newReference } from './story.js';

/**
 * The step of the onboarding at which a merchant stops. `drafted`: documents are missing.
 * `unsigned`: the signature is missing. `signed`: the provider reviews the merchant.
 */
type Progress = 'drafted' | 'unsigned' | 'signed';

/** A legal name that the sandbox's review rejects because of its ending. */
const REJECTED_NAME = 'Garage Petit REJECT';

const DIRECT_MINOR = 6_400;

/** Onboards a merchant with this name, and stops at the given progress. */
const leaveMerchant = async (
  parts: StoryParts,
  legalName: string,
  progress: Progress,
): Promise<void> => {
  const { company, ...details } = sellerDetails();
  const { status, body } = await draftMerchant(
    parts,
    { ...details, company: { ...(company as object), legalName } },
    newReference(legalName),
  );
  if (status !== 201) throw new Error(`${legalName} was refused: ${String(body['detail'])}`);
  const onboarding = new Onboarding(parts, String(body['id']));
  const companyId = await onboarding.registered();
  if (progress === 'drafted') return;
  await onboarding.sendPapers();
  if (progress === 'unsigned') return;
  await onboarding.sign(companyId);
};

/** Makes a payment directly at the provider, so that its payout line is unknown to us. */
const payDirectly = async ({ sandboxUrl, sandboxKey }: StoryParts): Promise<void> => {
  const intent = await new Sandbox(sandboxUrl, sandboxKey).api('POST', '/v2/payment_intents/', {
    amount: DIRECT_MINOR,
    currency: 'eur',
    methods_allowed: 'card',
    description: 'Sold at the counter',
  });
  await new Payer(String(intent['url'])).pay(CARDS.plain);
};

/**
 * Changes the amount of an unpaid intent at the provider, so that it differs from the requested
 * amount.
 */
const changeAmount = async (parts: StoryParts): Promise<void> => {
  const { apiUrl, apiKey, merchantId, sandboxUrl, sandboxKey } = parts;
  const platform = new Platform([apiUrl], apiKey, merchantId);
  const { body } = await platform.place({
    reference: newReference('changed'),
    amountMinor: DIRECT_MINOR,
    description: 'A wool blanket',
    capture: { policy: 'automatic' },
  });
  const { payment } = await waitFor(async () => {
    const order = await platform.read(String(body['id']));
    return order.payment?.pageUrl ? order : null;
  }, WAIT);
  const intentId = /pi_\w+/.exec(payment?.pageUrl ?? '')?.[0] ?? '';
  const sandbox = new Sandbox(sandboxUrl, sandboxKey);
  await sandbox.api('PATCH', `/v2/payment_intents/${intentId}`, { amount: DIRECT_MINOR + 500 });
};

/**
 * Imports the module only here, concurrently with other steps, because loading the event log takes
 * a second of CPU time.
 */
const leaveReaction = async (parts: StoryParts, platform: Platform): Promise<void> => {
  const { leaveFailedReaction } = await import('./failed-reaction.js');
  await leaveFailedReaction(parts, platform);
};

/**
 * Creates cases that need an operator, so that the console's pages have entries: merchants in
 * several states, one of them rejected; a payment that only the provider knows; an amount that was
 * changed at the provider; breaks of each kind; a blocked stream; an action that awaits approval;
 * a failing webhook endpoint; and a failed reaction.
 */
export const leaveOpenCases = async (parts: StoryParts): Promise<void> => {
  await Promise.all([
    payDirectly(parts),
    leaveMerchant(parts, REJECTED_NAME, 'signed'),
    changeAmount(parts),
    leaveProviderErrors(parts.databaseUrl),
  ]);
  await new Sandbox(parts.sandboxUrl, '').advance('P2D');
  const platform = new Platform([parts.apiUrl], parts.apiKey, parts.merchantId);
  await leaveFailingEndpoint(platform);
  await Promise.all([
    requestClosing(platform),
    leaveReaction(parts, platform),
    leaveMerchant(parts, 'Librairie Fontaine', 'drafted'),
    leaveMerchant(parts, 'Café des Arts', 'unsigned'),
    leaveMerchant(parts, 'Menuiserie Roy', 'signed'),
  ]);
};
