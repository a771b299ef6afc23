import { createHash } from 'node:crypto';
import { type AuditOrigin } from '#operations';
import { holdsNoneOfAPerson } from '../apps/admin/shared/reason.dto.js';
import { Rejection } from '#kernel';
import { envText } from '#platform';

/**
 * A pseudonym of the user: a hash of the log-in name, because events are stored permanently and
 * must not contain a person's name.
 */
const actorOf = (login: string): string =>
  `ops:${createHash('sha256').update(login).digest('hex').slice(0, 12)}`;

/** The user of the command line, in the form that audit entries and events use. */
export const commandLineOrigin = (): AuditOrigin => ({
  actor: actorOf(envText('USER', 'ops')),
  requestId: 'ops',
});

/** Returns a text that is not empty; otherwise throws `Rejection('usage')` with the usage. */
export const requiredText = (value: string | undefined, what: string, usage: string): string => {
  const text = value?.trim() ?? '';
  if (text === '') throw new Rejection('usage', `${what} is missing\n\n${usage}`);
  return text;
};

/**
 * Returns the reason if it is present and contains no personal data, because reasons are stored
 * permanently; otherwise throws `Rejection('usage')`.
 */
export const reasonOf = (text: string | undefined, usage: string): string => {
  const reason = requiredText(text, '--reason', usage);
  if (holdsNoneOfAPerson(reason)) return reason;
  throw new Rejection(
    'usage',
    '--reason seems to contain an email address, an account or card number, or a key: write the reason without it',
  );
};
