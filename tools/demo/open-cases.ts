import { waitFor } from '#testing';
import { CARDS, Payer } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { type StoryParts, WAIT } from './narration.js';
import { leaveAuthorization } from './open-captures.js';
import { leaveFailingEndpoint, requestClosing } from './open-decisions.js';
import { leaveMerchant } from './open-merchants.js';
import { leaveProviderErrors } from './provider-errors.js';
import { newReference } from './story.js';

/** A legal name that the sandbox's review rejects because of its ending. */
const REJECTED_NAME = 'Garage Petit REJECT';

const DIRECT_MINOR = 6_400;

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
 * Changes an unpaid intent at the provider, which contradicts what we requested. Returns the id of
 * its order.
 */
const changeIntent = async (parts: StoryParts, change: object): Promise<string> => {
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
  await sandbox.api('PATCH', `/v2/payment_intents/${intentId}`, change);
  return String(body['id']);
};

/**
 * Leaves a cancellation whose request fails: the provider shows the intent under another reference
 * than ours, so it is not canceled.
 */
const leaveFailedRequest = async (parts: StoryParts): Promise<void> => {
  const orderId = await changeIntent(parts, { unique_id: newReference('invoice') });
  await new Platform([parts.apiUrl], parts.apiKey, parts.merchantId).cancel(orderId);
};

/**
 * Imports the modules only here, concurrently with other steps, because loading the event log takes
 * a second of CPU time.
 */
const leaveByLog = async (parts: StoryParts, platform: Platform): Promise<void> => {
  const { leaveFailedReaction } = await import('./failed-reaction.js');
  const { leaveRejectedCapture } = await import('./rejected-capture.js');
  await Promise.all([leaveFailedReaction(parts, platform), leaveRejectedCapture(parts)]);
};

/** Leaves an authorization that is not captured: its last day begins after six days. */
export const leaveLapsing = async (parts: StoryParts): Promise<void> => {
  await leaveAuthorization(parts, ['desk', 'A writing desk', 32_000]);
};

/**
 * The time until the payouts of the cases are reconciled. Within another day, the last day of an
 * authorization begins that was made two days before the cases.
 */
const UNTIL_CASES = 'P3DT6H';

/**
 * Creates cases that need an operator, so that the console's pages have entries: merchants in
 * several states, one of them rejected; a payment that only the provider knows; an amount that was
 * changed at the provider; breaks of each kind; a blocked stream; a failed request; a rejected
 * capture; an action that awaits approval; a failing webhook endpoint; and a failed reaction.
 */
export const leaveOpenCases = async (parts: StoryParts): Promise<void> => {
  await Promise.all([
    payDirectly(parts),
    leaveMerchant(parts, REJECTED_NAME, 'signed'),
    changeIntent(parts, { amount: DIRECT_MINOR + 500 }),
    leaveFailedRequest(parts),
    leaveProviderErrors(parts.databaseUrl),
  ]);
  await new Sandbox(parts.sandboxUrl, '').advance(UNTIL_CASES);
  const platform = new Platform([parts.apiUrl], parts.apiKey, parts.merchantId);
  await leaveFailingEndpoint(platform);
  await Promise.all([
    requestClosing(platform),
    leaveByLog(parts, platform),
    leaveMerchant(parts, 'Librairie Fontaine', 'drafted'),
    leaveMerchant(parts, 'Café des Arts', 'unsigned'),
    leaveMerchant(parts, 'Menuiserie Roy', 'signed'),
  ]);
};
