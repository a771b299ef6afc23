import { randomText } from '#kernel';

/** The kinds of possible work: events of the log, or due jobs. */
export type WakeTopic = 'log' | 'jobs';

/** The PostgreSQL channel on which processes notify each other of commits. */
export const WAKE_CHANNEL = 'committed';

/**
 * The minimum time between two notifications of a process. A woken poller reads again within
 * milliseconds (see `Idle`), so it also finds the commits made just after the notification.
 */
const NOTIFIED_AGAIN_AFTER_MS = 50;
const SOON_MS = 50;

/**
 * Wakes the pollers that wait for commits, in this process and, through a NOTIFY in the commit
 * itself, in the others. A wake only shortens a wait: a lost one costs at most a second.
 */
export class Wakes {
  private readonly listeners: Record<WakeTopic, Set<() => void>> = {
    log: new Set(),
    jobs: new Set(),
  };
  private readonly notifiedAtMs: Record<WakeTopic, number> = { log: -Infinity, jobs: -Infinity };
  private readonly waking: Record<WakeTopic, NodeJS.Timeout | null> = { log: null, jobs: null };
  /** Identifies the notifications of this process. */
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

  /** Like `wake`, but a little later, and only once for all commits until then. */
  soon(topic: WakeTopic): void {
    this.waking[topic] ??= setTimeout(() => {
      this.waking[topic] = null;
      this.wake(topic);
    }, SOON_MS).unref();
  }

  /**
   * The notification that a commit sends to the other processes; null if the process notified them
   * just before.
   */
  notification(topic: WakeTopic): string | null {
    const nowMs = performance.now();
    if (nowMs - this.notifiedAtMs[topic] < NOTIFIED_AGAIN_AFTER_MS) return null;
    this.notifiedAtMs[topic] = nowMs;
    return `${topic} ${this.process}`;
  }

  /** Call after a failed commit, which may have sent no notification. */
  notificationFailed(): void {
    this.notifiedAtMs.log = -Infinity;
    this.notifiedAtMs.jobs = -Infinity;
  }

  /** Wakes the pollers after a commit of another process. */
  onNotification(notification: string): void {
    const [topic, process] = notification.split(' ');
    if (process === this.process || (topic !== 'log' && topic !== 'jobs')) return;
    this.wake(topic);
    // A commit that requests jobs has also written to the log, or soon will.
    if (topic === 'jobs') this.wake('log');
  }

  /** Wakes all pollers, because notifications may have been missed. */
  wakeAll(): void {
    this.wake('log');
    this.wake('jobs');
  }
}
