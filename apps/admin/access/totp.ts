import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/**
 * Codes of an authenticator app (RFC 6238) as all apps support them: six digits of SHA-1 over the
 * time step.
 */
const STEP_SECONDS = 30;
/** The number of time steps by which the clock of an authenticator app may differ. */
const WINDOW_STEPS = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Creates a secret of 160 random bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The address from which an authenticator app takes the secret, usually as a QR code. */
export const otpauthUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), period: STEP_SECONDS }).toString();

/**
 * The time step to which the code belongs; null if the code is wrong, or right only outside the
 * window around `atMs`.
 */
export const stepOfCode = (secret: string, code: string, atMs: number): number | null => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: STEP_SECONDS });
  const delta = totp.validate({ token: code, timestamp: atMs, window: WINDOW_STEPS });
  return delta === null ? null : Math.floor(atMs / 1_000 / STEP_SECONDS) + delta;
};

/** Normalizes a code for the comparison, because users may type blanks, hyphens and capitals. */
export const plainCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toLowerCase();

export const isTotpCode = (plain: string): boolean => /^\d{6}$/.test(plain);

/** Creates recovery codes of 80 random bits each, in groups that are easy to type. */
export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ size: RECOVERY_BYTES }).base32.toLowerCase().replaceAll(/(.{4})(?=.)/g, '$1-'),
  );

/** A code cannot be guessed, so a fast hash is sufficient. */
export const recoveryHash = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId} ${plainCode(code)}`)
    .digest();
