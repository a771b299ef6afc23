import { randomText } from '#kernel';

/** What a notification is about: events in the log, or due jobs. */
export type WakeTopic = 'log' | 'jobs';

/** The PostgreSQL channel on which processes notify each other of commits. */
export const WAKE_CHANNEL = 'committed';

/**
 * The minimum time between two notifications that a process sends. A notified poller reads again
 * within milliseconds (see `Idle`), so it also finds commits made just after the notification.
 */
const NOTIFIED_AGAIN_AFTER_MS = 50;
const SOON_MS = 50;

/**
 * Notifies the pollers that wait for commits: those of this process directly, and those of other
 * processes by a NOTIFY in the commit itself. A notification only makes pollers read earlier:
 * without a notification they read at most five seconds later (see `Idle`).
 */
export class Wakes {
  private readonly listeners: Record<WakeTopic, Set<() => void>> = {
    log: new Set(),
    jobs: new Set(),
  };
  private readonly notifiedAtMs: Record<WakeTopic, number> = { log: -Infinity, jobs: -Infinity };
  private readonly waking: Record<WakeTopic, NodeJS.Timeout | null> = { log: null, jobs: null };
  /** Identifies this process in its notifications. */
  private readonly process = randomText(12);

  /** Subscribes a listener; returns a function that ends the subscription. */
  on(topic: WakeTopic, listener: () => void): () => void {
    this.listeners[topic].add(listener);
    return () => this.listeners[topic].delete(listener);
  }

  /** Wakes the pollers of this process after its commit. */
  wake(topic: WakeTopic): void {
    for (const listener of this.listeners[topic]) listener();
  }

  /** Like `wake`, but a moment later, and only once for all commits made until then. */
  soon(topic: WakeTopic): void {
    this.waking[topic] ??= setTimeout(() => {
      this.waking[topic] = null;
      this.wake(topic);
    }, SOON_MS).unref();
  }

  /**
   * The notification that a commit must send to other processes; null if this process has sent a
   * notification just before.
   */
  notification(topic: WakeTopic): string | null {
    const nowMs = performance.now();
    if (nowMs - this.notifiedAtMs[topic] < NOTIFIED_AGAIN_AFTER_MS) return null;
    this.notifiedAtMs[topic] = nowMs;
    return `${topic} ${this.process}`;
  }

  /**
   * Must be called after a failed commit, because the notification in that commit may not have been
   * sent.
   */
  notificationFailed(): void {
    this.notifiedAtMs.log = -Infinity;
    this.notifiedAtMs.jobs = -Infinity;
  }

  /** Notifies the pollers of this process after a commit of another process. */
  onNotification(notification: string): void {
    const [topic, process] = notification.split(' ');
    if (process === this.process || (topic !== 'log' && topic !== 'jobs')) return;
    this.wake(topic);
    // A commit that requests jobs has usually written events, too, so the pollers of the log are
    // also notified.
    if (topic === 'jobs') this.wake('log');
  }

  /** Notifies all pollers, because notifications may have been missed. */
  wakeAll(): void {
    this.wake('log');
    this.wake('jobs');
  }
}
