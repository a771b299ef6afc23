import { parseArgs } from 'node:util';
import { Rejection } from '#kernel';
import { envSecret } from '#platform';
import { reportFailure } from '../report-failure.js';
import { Sandbox } from '../stack/sandbox.js';
import { sellerDetails } from '../stack/seller.js';
import { draftMerchant, Onboarding } from './onboarding.js';

const USAGE = `Onboards a merchant in the sandbox for the platform of an API key, and prints its id

  API_KEY=po_… npm run --silent merchant -- --api http://127.0.0.1:4100 --sandbox http://127.0.0.1:4103

The key needs the scopes merchants:read and merchants:write. The sandbox's clock moves on by two days, for the
provider's review.`;

/**
 * `npm run merchant`: onboards one merchant until the merchant accepts orders: registration,
 * documents and signature.
 */
const main = async (): Promise<void> => {
  const options = { api: { type: 'string' }, sandbox: { type: 'string' } } as const;
  const { api: apiUrl, sandbox } = parseArgs({ options }).values;
  if (apiUrl === undefined || sandbox === undefined) throw new Rejection('usage', USAGE);
  const at = { apiUrl, apiKey: envSecret('API_KEY') };
  const { status, body } = await draftMerchant(at, sellerDetails());
  if (status !== 201) throw new Rejection('refused', String(body['detail']));
  const onboarding = new Onboarding(at, String(body['id']));
  const companyId = await onboarding.registered();
  await onboarding.sendPapers();
  await onboarding.sign(companyId);
  await new Sandbox(sandbox, '').advance('P2D');
  await onboarding.refresh();
  await onboarding.until(({ orders }) => orders.enabled);
  process.stdout.write(`${onboarding.merchantId}\n`);
};

main().catch(reportFailure);
