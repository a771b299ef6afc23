import { firstLink } from './variants.mjs';

/**
 * The sections of the User Area. For a section in WITH_ENTRIES, a screenshot of its first entry is
 * taken, too.
 */
const SECTIONS = [
  'payments',
  'intents',
  'payouts',
  'webhooks',
  'events',
  'messages',
  'accounts',
  'clock',
  'faults',
];
const WITH_ENTRIES = new Set(['payments', 'intents', 'payouts', 'webhooks', 'events']);
/**
 * For each of these statuses a screenshot of one payment is taken, because these payments' pages
 * differ most.
 */
const STATUSES = ['authorized', 'captured', 'refused', 'disputed'];

export const takeArea = async (page, { sandboxUrl }, pictures) => {
  const path = '/user-area/test';
  const open = (rest) => page.goto(`${sandboxUrl}${path}/${rest}`);
  const takeFirst = async (section, name) => {
    const link = await firstLink(page, `${path}/${section}/`);
    if (link === null) return;
    await page.goto(`${sandboxUrl}${link}`);
    await pictures.take(name);
  };
  for (const section of SECTIONS) {
    await open(section);
    await pictures.take(`area-${section}`);
    if (WITH_ENTRIES.has(section)) await takeFirst(section, `area-${section}-one`);
  }
  for (const status of STATUSES) {
    await open(`payments?status=${status}`);
    await takeFirst('payments', `area-payment-${status}`);
  }
  await page.goto(`${sandboxUrl}/user-area/sign-in`);
  await pictures.take('area-sign-in');
  await open('payments/paym_000000000000000000000000');
  await pictures.take('area-not-found');
};
