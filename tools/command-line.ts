import { createHash } from 'node:crypto';
import { type AuditOrigin } from '#operations';
import { holdsNoneOfAPerson } from '../apps/admin/shared/reason.dto.js';
import { Rejection } from '#kernel';
import { envText } from '#platform';

/** A hash of the log-in name: events are stored for ever, so they contain no name of a person. */
const actorOf = (login: string): string =>
  `ops:${createHash('sha256').update(login).digest('hex').slice(0, 12)}`;

/** The user of the command line, as named in the audit and in events. */
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

/** Validates a reason, which is stored for ever. Throws `Rejection('usage')`. */
export const reasonOf = (text: string | undefined, usage: string): string => {
  const reason = requiredText(text, '--reason', usage);
  if (holdsNoneOfAPerson(reason)) return reason;
  throw new Rejection(
    'usage',
    '--reason contains an address, an account, a card or a key: leave it out',
  );
};
