import { waitFor } from '#testing';
import { CARDS, Payer } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { type StoryParts, WAIT } from './narration.js';
import { leaveAuthorization, whileCapturesFail } from './open-captures.js';
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
 * Until the payouts of the cases are reconciled, the requests that fail have no retries left, and an
 * authorization of two days before has its last day after another day.
 */
const UNTIL_CASES = 'P3DT6H';

/**
 * Creates cases that need an operator, so that the console's pages have entries: merchants in
 * several states, one of them rejected; a payment that only the provider knows; an amount that was
 * changed at the provider; breaks of each kind; a blocked stream; a failed and a rejected capture; an
 * action that awaits approval; a failing webhook endpoint; and a failed reaction.
 */
export const leaveOpenCases = async (parts: StoryParts): Promise<void> => {
  const [orderId] = await Promise.all([
    leaveAuthorization(parts, ['chair', 'An oak chair', 14_900]),
    payDirectly(parts),
    leaveMerchant(parts, REJECTED_NAME, 'signed'),
    changeAmount(parts),
    leaveProviderErrors(parts.databaseUrl),
  ]);
  await whileCapturesFail(parts, orderId, () =>
    new Sandbox(parts.sandboxUrl, '').advance(UNTIL_CASES),
  );
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
