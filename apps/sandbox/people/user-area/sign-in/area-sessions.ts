import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { HOUR_MS, randomText } from '#kernel';
import { ApiError } from '../../../api/api-error.js';
import type { KeyRing } from '../../../api/keys.js';
import { type AccountScope, isSameScope } from '../../../storage/account-scope.js';
import { cookieIn, setCookie } from '../web/cookies.js';

const NAME = 'area_session';
const TOKEN = /^[A-Za-z0-9]{32}$/;
/** Maximum number of keys that one browser can enter; an account has one key for each mode. */
const MAX_KEYS = 10;

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Signed-in browsers, with the keys entered in each. Every page checks these keys again, so that a
 * session ends when its key is revoked. In memory only: a restart signs all browsers out.
 */
@Injectable()
export class AreaSessions {
  private readonly keysOf = new LRUCache<string, readonly string[]>({
    max: 1_000,
    ttl: 12 * HOUR_MS,
  });
  private ring: KeyRing | null = null;

  /** Sets the key store, which exists only after the app has started. */
  use(ring: KeyRing): void {
    this.ring = ring;
  }

  /**
   * Signs this browser in with a key and returns the account that it opens; null for an unknown
   * key.
   */
  async signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
  ): Promise<AccountScope | null> {
    const scope = await this.scopeOf(key);
    if (scope === null) return null;
    const token = randomText(32);
    const before = this.keys(request).filter((known) => known !== key);
    this.keysOf.set(digest(token), [key, ...before].slice(0, MAX_KEYS));
    this.signOut(request);
    setCookie(reply, NAME, token);
    return scope;
  }

  signOut(request: FastifyRequest): void {
    const token = cookieIn(request, NAME);
    if (token !== null) this.keysOf.delete(digest(token));
  }

  /** Whether one of the browser's keys currently opens this account and mode. */
  async opens(request: FastifyRequest, scope: AccountScope): Promise<boolean> {
    for (const key of this.keys(request)) {
      const opened = await this.scopeOf(key);
      if (opened !== null && isSameScope(opened, scope)) return true;
    }
    return false;
  }

  private keys(request: FastifyRequest): readonly string[] {
    const token = cookieIn(request, NAME);
    if (token === null || !TOKEN.test(token)) return [];
    return this.keysOf.get(digest(token)) ?? [];
  }

  private async scopeOf(key: string): Promise<AccountScope | null> {
    if (this.ring === null || !/^\S+$/.test(key)) return null;
    try {
      return await this.ring.scopeOf(`Bearer ${key}`);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  }
}
