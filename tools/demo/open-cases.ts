import { waitFor } from '#testing';
import { CARDS, Payer } from '../stack/payer.js';
import { Platform } from '../stack/platform.js';
import { Sandbox } from '../stack/sandbox.js';
import { sellerDetails, sendPapers, signOverHttp } from '../stack/seller.js';
import { type StoryParts, WAIT } from './narration.js';
import { newReference } from './story.js';

/**
 * How far a merchant gets. `drafted`: documents are missing. `unsigned`: the signature is missing.
 * `signed`: the provider reviews the merchant.
 */
type Progress = 'drafted' | 'unsigned' | 'signed';

/** The sandbox's review rejects a company with this ending of its legal name. */
const REJECTED_NAME = 'Garage Petit REJECT';

const DIRECT_MINOR = 6_400;

/** Works with merchants as a platform does. */
class Merchants {
  private readonly platform: Platform;

  constructor(private readonly parts: StoryParts) {
    this.platform = new Platform([parts.apiUrl], parts.apiKey, '');
  }

  async leave(legalName: string, progress: Progress): Promise<void> {
    const { company, ...details } = sellerDetails();
    const { status, body } = await this.platform.surely('POST', '/v1/merchants', {
      reference: newReference(),
      mode: 'test',
      details: { ...details, company: { ...(company as object), legalName } },
    });
    if (status !== 201) throw new Error(`${legalName} was refused: ${String(body['detail'])}`);
    const id = String(body['id']);
    const companyId = await waitFor(async () => (await this.read(id))['companyId'], WAIT);
    if (progress === 'drafted') return;
    await sendPapers(this.parts.apiUrl, this.parts.apiKey, id);
    await waitFor(async () => {
      const missing = (await this.read(id))['missing'] as { items: readonly string[] } | null;
      return missing?.items.join() === 'signature';
    }, WAIT);
    if (progress === 'unsigned') return;
    const answer = await this.platform.surely('POST', `/v1/merchants/${id}/subscription-link`);
    await signOverHttp(String(answer.body['link']), String(companyId));
    await this.platform.surely('POST', `/v1/merchants/${id}/refresh`);
  }

  private async read(id: string): Promise<Readonly<Record<string, unknown>>> {
    return (await this.platform.surely('GET', `/v1/merchants/${id}`)).body;
  }
}

/** Takes a payment at the provider that is not ours, so that its payout line is unknown to us. */
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
 * Leaves open what an operator has to follow, so that the console's pages have entries: merchants
 * in several states, one of them rejected, and a payment that only the provider knows.
 */
export const leaveOpenCases = async (parts: StoryParts): Promise<void> => {
  const merchants = new Merchants(parts);
  await Promise.all([payDirectly(parts), merchants.leave(REJECTED_NAME, 'signed')]);
  await new Sandbox(parts.sandboxUrl, '').advance('P2D');
  await Promise.all([
    merchants.leave('Librairie Fontaine', 'drafted'),
    merchants.leave('Café des Arts', 'unsigned'),
    merchants.leave('Menuiserie Roy', 'signed'),
  ]);
};
