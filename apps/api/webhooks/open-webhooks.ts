import type { Pool } from 'pg';
import { LRUCache } from 'lru-cache';
import { SECOND_MS } from '#kernel';
import { firstRow } from '#platform';

/**
 * The maximum number of webhooks of an account that are stored and not handled. A worker that was
 * stopped for half an hour leaves fewer, even if the account receives ten webhooks per second.
 */
const MAX_OPEN = 20_000;
/** How long the webhooks of a full account are refused before they are counted again. */
const RECOUNTED_AFTER_MS = SECOND_MS;
const MAX_CACHED = 10_000;

const COUNT = `
  SELECT count(*)::int AS open FROM (
    SELECT FROM webhooks_received WHERE account_id = $1 AND handled_at IS NULL LIMIT $2) AS w`;

interface Room {
  /** The number of webhooks that may be stored before the open ones are counted again. */
  left: number;
  readonly countedAtMs: number;
}

const isUsable = ({ left, countedAtMs }: Room): boolean =>
  left > 0 || Date.now() < countedAtMs + RECOUNTED_AFTER_MS;

/**
 * Limits the open webhooks of each account, so that one account whose webhooks cannot be handled
 * does not fill the database. They are counted once, and again only after as many have been stored
 * as there was room for.
 */
export class OpenWebhooks {
  private readonly rooms = new LRUCache<string, Promise<Room>>({ max: MAX_CACHED });

  constructor(private readonly pool: Pool) {}

  /** Takes the room for one more open webhook of the account; false: the account has none. */
  async takeRoom(accountId: string): Promise<boolean> {
    const known = this.rooms.get(accountId);
    const room =
      known !== undefined && isUsable(await known)
        ? await known
        : await this.recount(accountId, known);
    if (room.left <= 0) return false;
    room.left -= 1;
    return true;
  }

  /** Counts again, once for all callers that have found `known` used up. */
  private recount(accountId: string, known: Promise<Room> | undefined): Promise<Room> {
    const newer = this.rooms.get(accountId);
    if (newer !== undefined && newer !== known) return newer;
    const room = this.count(accountId);
    this.rooms.set(accountId, room);
    // A failed read is not cached: the next webhook counts again.
    room.catch(() => this.rooms.delete(accountId));
    return room;
  }

  private async count(accountId: string): Promise<Room> {
    const countedAtMs = Date.now();
    const row = await firstRow<{ open: number }>(this.pool, {
      name: 'open-webhooks',
      text: COUNT,
      values: [accountId, MAX_OPEN],
    });
    return { left: MAX_OPEN - (row?.open ?? 0), countedAtMs };
  }
}
