import type { Harness } from '../../testing/harness.js';
import { type CompanyReply, createCompany, fullCompany } from './company.js';
import { ask, KEY } from './partner.js';
import { sendAll } from './upload.js';

/** The token at the end of the merchant's `subscription-link`. */
export const linkToken = async (
  sandbox: Harness,
  company: string,
  key: string = KEY,
): Promise<string> => {
  const { body } = await ask(
    sandbox,
    'GET',
    `/subscription-link?company=${company}`,
    undefined,
    key,
  );
  return new URL((body as { link: string }).link).pathname.split('/').at(-1) ?? '';
};

/** Sends a request of the registration page's script. */
export const pageCall = async (
  sandbox: Harness,
  path: string,
  body: object = {},
): Promise<{ readonly status: number; readonly outcome: string; readonly keys?: object }> => {
  const response = await fetch(`${sandbox.url}/subscription/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as { outcome: string }) };
};

/** The code in the newest message to the company's user. */
export const codeFor = async (sandbox: Harness, company: string): Promise<string> => {
  const response = await fetch(`${sandbox.url}/sandbox/onboarding/inbox?company=${company}`);
  const [newest] = (await response.json()) as { text: string }[];
  return /^\d{4}/.exec(newest?.text ?? '')?.[0] ?? '';
};

/** The version of the company's data that the registration page shows. */
export const shownVersion = async (sandbox: Harness, token: string): Promise<number> => {
  const text = await (await fetch(`${sandbox.url}/subscription/${token}`)).text();
  return Number(/"version":(\d+)/.exec(text)?.[1]);
};

/** Requests a code and signs with it, like the page. */
export const sign = async (
  sandbox: Harness,
  company: string,
  key: string = KEY,
): Promise<string> => {
  const token = await linkToken(sandbox, company, key);
  await pageCall(sandbox, `${token}/code`);
  const code = await codeFor(sandbox, company);
  const version = await shownVersion(sandbox, token);
  return (await pageCall(sandbox, `${token}/sign`, { code, version })).outcome;
};

/** Creates a company whose merchant has signed the contract. */
export const signedCompany = async (
  sandbox: Harness,
  body: object = fullCompany(),
  key: string = KEY,
): Promise<CompanyReply> => {
  const company = await createCompany(sandbox, body, key);
  await sendAll(sandbox, company);
  const outcome = await sign(sandbox, company.company.id, key);
  if (outcome !== 'signed') throw new Error(`the contract was not signed: ${outcome}`);
  return company;
};

export const advance = async (sandbox: Harness, duration: string): Promise<void> => {
  const { status } = await sandbox.call('POST', '/sandbox/clock', { advance: duration });
  if (status !== 200) throw new Error(`a move of the clock returned ${status}`);
};

/** An instant far from midnight, so that the day does not change while a spec runs. */
export const toNoon = async (sandbox: Harness): Promise<void> => {
  const { body } = await sandbox.call('GET', '/sandbox/clock');
  const now = Date.parse(String(body['now']));
  const noon = new Date(now).setUTCHours(11, 0, 0, 0);
  const seconds = Math.ceil(((noon > now ? noon : noon + 86_400_000) - now) / 1_000);
  await advance(sandbox, `PT${seconds}S`);
};

/** The current day of the sandbox's clock in Europe/Paris, and days around it. */
export const parisToday = async (sandbox: Harness, plusDays = 0): Promise<string> => {
  const { body } = await sandbox.call('GET', '/sandbox/clock');
  const at = new Date(String(body['now']));
  const today = at.toLocaleDateString('en-CA', { timeZone: 'Europe/Paris' });
  return new Date(Date.parse(today) + plusDays * 86_400_000).toISOString().slice(0, 10);
};
