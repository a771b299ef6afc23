import { drawWithoutCardNumber } from '#kernel';
import type { LogCursor } from '#log';
import type { SecretBox } from '#platform';

/** The format in which earlier releases gave log positions to platforms, e.g. `1-763-42`. */
const PLAIN = /^(\d{1,9})-(\d{1,19})-(\d{1,18})$/;
/** The length of the longest plain position. */
const PLAIN_CHARS = 48;

/** The format of a cursor: `PLAIN`, or an encrypted position, `<key id>.<base64url of 76 bytes>`. */
export const CURSOR = /^(?:\d{1,9}-\d{1,19}-\d{1,18}|[\w-]{1,32}\.[\w-]{102})$/;

const parsePlain = (text: string): LogCursor | null => {
  const [, epoch, transactionId, position] = PLAIN.exec(text) ?? [];
  if (epoch === undefined || transactionId === undefined || position === undefined) return null;
  return { epoch: Number(epoch), transactionId, position };
};

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
    const plain = `${epoch}-${transactionId}-${position}`.padEnd(PLAIN_CHARS);
    return drawWithoutCardNumber(() => this.box.seal(plain, platformId));
  }

  /**
   * The position in a cursor; null if it is none, was given to another platform, or was encrypted
   * with a key that is not configured any more.
   */
  read(platformId: string, text: string): LogCursor | null {
    if (!CURSOR.test(text)) return null;
    return parsePlain(text) ?? parsePlain(this.opened(platformId, text));
  }

  private opened(platformId: string, text: string): string {
    try {
      return this.box.open(text, platformId).trimEnd();
    } catch {
      return '';
    }
  }
}
