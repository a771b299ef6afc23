import { hash, timingSafeEqual } from 'node:crypto';
import { randomText } from '#kernel';

/**
 * The scopes of keys, and whether two people must create a key with the scope: it could send money
 * to the wrong recipient, or the events of the platform and the secret that signs them.
 */
const NEEDS_TWO_PEOPLE = {
  'orders:read': false,
  'orders:write': true,
  'refunds:write': true,
  'captures:write': true,
  'debits:write': true,
  'payments:read': false,
  'payments:write': false,
  'accounts:read': false,
  'accounts:write': true,
  'merchants:read': false,
  'merchants:write': true,
  'merchants:details': false,
  'payouts:read': false,
  'payouts:write': true,
  'events:read': false,
  'webhooks:read': false,
  'webhooks:write': true,
} as const;

export type Scope = keyof typeof NEEDS_TWO_PEOPLE;

export const SCOPES = Object.keys(NEEDS_TWO_PEOPLE) as readonly Scope[];

/** Whether a second person must approve the creation of a key with this scope. */
export const needsTwoPeople = (scope: Scope): boolean => NEEDS_TWO_PEOPLE[scope];

export const isScope = (text: string): text is Scope =>
  (SCOPES as readonly string[]).includes(text);

/**
 * The format of a key: `po_<12>` identifies the row; the following 32 letters and digits, about 190
 * random bits, are the secret.
 */
const KEY = /^(po_[A-Za-z0-9]{12})_([A-Za-z0-9]{32})$/;

export interface ApiKeyText {
  readonly prefix: string;
  readonly secret: string;
}

export const newApiKey = (): ApiKeyText & { readonly text: string } => {
  const prefix = `po_${randomText(12)}`;
  const secret = randomText(32);
  return { prefix, secret, text: `${prefix}_${secret}` };
};

/** The parts of a key; null if the text is not a key. */
export const parseApiKey = (text: string): ApiKeyText | null => {
  const [, prefix, secret] = KEY.exec(text) ?? [];
  return prefix === undefined || secret === undefined ? null : { prefix, secret };
};

/** A fast hash is safe here, because 190 random bits cannot be guessed. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export const provesKey = (secret: string, known: Buffer): boolean =>
  known.length === 32 && timingSafeEqual(hashSecret(secret), known);
