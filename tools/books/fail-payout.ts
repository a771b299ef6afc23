import { randomText } from '#kernel';

/** Fails a payout (`pout_…`) before it is paid, as a merchant can in the sandbox's User Area. */
export const failPayout = async (sandboxUrl: string, payoutId: string): Promise<void> => {
  const token = randomText(32);
  const answer = await fetch(`${sandboxUrl}/user-area/test/payouts/${payoutId}/fail`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `area_form=${token}`, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token }),
  });
  const text = await answer.text();
  if (answer.status !== 303) throw new Error(`${payoutId}: ${answer.status} ${text}`);
};
