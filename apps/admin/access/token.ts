import { createHash } from 'node:crypto';
import { randomText } from '#kernel';

const CHARS = 32;

/**
 * Creates a token of about 190 random bits. The token cannot be guessed, so a fast hash is
 * sufficient.
 */
export const newToken = (): string => randomText(CHARS);

export const isToken = (text: string): boolean => /^[A-Za-z0-9]{32}$/.test(text);

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();
