import { drawWithoutCardNumber } from '#kernel';
import type { LogCursor } from '#log';
import type { SecretBox } from '#platform';

/** A position before it is encrypted, e.g. `1-763-42`. */
const POSITION = /^(\d{1,9})-(\d{1,19})-(\d{1,18})$/;
/** The length of the longest position. */
const POSITION_CHARS = 48;

/** The format of a cursor: an encrypted position, `<key id>.<base64url of 76 bytes>`. */
export const CURSOR = /^[\w-]{1,32}\.[\w-]{102}$/;

/**
 * The log positions that platforms receive and send back to resume. They are encrypted, because the
 * difference of two positions is the number of events of all platforms between them. Each is
 * encrypted differently, so a cursor that differs from the last does not show that events of others
 * were recorded.
 */
export class Cursors {
  /** `box`: its keys must be used for cursors only. */
  constructor(private readonly box: SecretBox) {}

  /** The position as text for one platform. All texts have the same length. */
  textOf(platformId: string, { epoch, transactionId, position }: LogCursor): string {
    const text = `${epoch}-${transactionId}-${position}`.padEnd(POSITION_CHARS);
    return drawWithoutCardNumber(() => this.box.seal(text, platformId));
  }

  /**
   * The position in a cursor; null if it is none, was given to another platform, or was encrypted
   * with a key that is not configured any more.
   */
  read(platformId: string, text: string): LogCursor | null {
    if (!CURSOR.test(text)) return null;
    const [, epoch, transactionId, position] = POSITION.exec(this.opened(platformId, text)) ?? [];
    if (epoch === undefined || transactionId === undefined || position === undefined) return null;
    return { epoch: Number(epoch), transactionId, position };
  }

  private opened(platformId: string, text: string): string {
    try {
      return this.box.open(text, platformId).trimEnd();
    } catch {
      return '';
    }
  }
}
