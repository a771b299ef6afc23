import { hash, timingSafeEqual } from 'node:crypto';
import { randomText } from '#kernel';

/** The scopes of keys, and whether a key with the scope could send money to the wrong recipient. */
const MOVES_MONEY = {
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
  'webhooks:write': false,
} as const;

export type Scope = keyof typeof MOVES_MONEY;

export const SCOPES = Object.keys(MOVES_MONEY) as readonly Scope[];

/**
 * Whether a key with this scope could send money to the wrong recipient: a second person must
 * approve its creation.
 */
export const movesMoney = (scope: Scope): boolean => MOVES_MONEY[scope];

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
