import { createHash } from 'node:crypto';
import type { AuditOrigin } from '../apps/admin/shared/audit.js';
import { holdsNoneOfAPerson } from '../apps/admin/shared/reason.dto.js';
import { Rejection } from '#kernel';
import { envText } from '#platform';

/** It stands in events for ever, so a log-in of this machine is not told, only told apart. */
const actorOf = (login: string): string =>
  `ops:${createHash('sha256').update(login).digest('hex').slice(0, 12)}`;

/** Who is at the command line, as the audit and events name them. */
export const commandLineOrigin = (): AuditOrigin => ({
  actor: actorOf(envText('USER', 'ops')),
  requestId: 'ops',
});

/** Throws `Rejection('usage')`, with how it is used. */
export const requiredText = (value: string | undefined, what: string, usage: string): string => {
  const text = value?.trim() ?? '';
  if (text === '') throw new Rejection('usage', `${what} is missing\n\n${usage}`);
  return text;
};

/** Kept for ever. Throws `Rejection('usage')`. */
export const reasonOf = (text: string | undefined, usage: string): string => {
  const reason = requiredText(text, '--reason', usage);
  if (holdsNoneOfAPerson(reason)) return reason;
  throw new Rejection(
    'usage',
    '--reason holds an address, an account, a card or a key: leave it out',
  );
};
