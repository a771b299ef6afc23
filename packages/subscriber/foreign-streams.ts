import { streamKey, type StreamRef } from './envelope.js';

const MAX_REMEMBERED = 10_000;
const REMEMBERED_MS = 600_000;

/**
 * Caches the streams that the log does not return to this API key, so that each stream is read only
 * once. Entries expire, because a forged message may name a stream that begins later.
 */
export class ForeignStreams {
  /** The expiry of each cached stream; the oldest first. */
  private readonly untilMs = new Map<string, number>();

  has(stream: StreamRef): boolean {
    return (this.untilMs.get(streamKey(stream)) ?? 0) > performance.now();
  }

  add(stream: StreamRef): void {
    if (this.has(stream)) return;
    const key = streamKey(stream);
    this.untilMs.delete(key);
    this.untilMs.set(key, performance.now() + REMEMBERED_MS);
    const [oldest] = this.untilMs.keys();
    if (this.untilMs.size > MAX_REMEMBERED && oldest !== undefined) this.untilMs.delete(oldest);
  }

  delete(stream: StreamRef): void {
    this.untilMs.delete(streamKey(stream));
  }
}
