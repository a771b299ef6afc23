import { randomText } from '#kernel';

/** What may have come: events of the log, or jobs that are due. */
export type WakeTopic = 'log' | 'jobs';

/** The channel of PostgreSQL on which processes notify each other of commits. */
export const WAKE_CHANNEL = 'committed';

/**
 * A process notifies the others at most so often. A reader that was woken reads again within
 * milliseconds (see `Idle`): what is committed meanwhile is found by that.
 */
const NOTIFIED_AGAIN_AFTER_MS = 50;
const SOON_MS = 50;

/**
 * Wakes who waits for what was committed, in this process and in the others, to which the commit
 * itself carries a NOTIFY. A wake only spares a wait: one that is lost costs a second at most.
 */
export class Wakes {
  private readonly listeners: Record<WakeTopic, Set<() => void>> = {
    log: new Set(),
    jobs: new Set(),
  };
  private readonly notifiedAtMs: Record<WakeTopic, number> = { log: -Infinity, jobs: -Infinity };
  private readonly waking: Record<WakeTopic, NodeJS.Timeout | null> = { log: null, jobs: null };
  /** By this a process knows its own notifications. */
  private readonly process = randomText(12);

  /** Answers how to end it. */
  on(topic: WakeTopic, listener: () => void): () => void {
    this.listeners[topic].add(listener);
    return () => this.listeners[topic].delete(listener);
  }

  /** Something was committed by this process. */
  wake(topic: WakeTopic): void {
    for (const listener of this.listeners[topic]) listener();
  }

  /** As `wake`, a little later: once for all of what comes meanwhile, where there is no hurry. */
  soon(topic: WakeTopic): void {
    this.waking[topic] ??= setTimeout(() => {
      this.waking[topic] = null;
      this.wake(topic);
    }, SOON_MS).unref();
  }

  /** What a commit sends to the other processes; null where they were notified just before. */
  notification(topic: WakeTopic): string | null {
    const nowMs = performance.now();
    if (nowMs - this.notifiedAtMs[topic] < NOTIFIED_AGAIN_AFTER_MS) return null;
    this.notifiedAtMs[topic] = nowMs;
    return `${topic} ${this.process}`;
  }

  /** A commit has failed, and may have sent no notification. */
  notificationFailed(): void {
    this.notifiedAtMs.log = -Infinity;
    this.notifiedAtMs.jobs = -Infinity;
  }

  /** Another process has committed something. */
  onNotification(notification: string): void {
    const [topic, process] = notification.split(' ');
    if (process === this.process || (topic !== 'log' && topic !== 'jobs')) return;
    this.wake(topic);
    // A commit that asks for jobs has written to the log, or soon will.
    if (topic === 'jobs') this.wake('log');
  }

  /** Notifications may have been missed. */
  wakeAll(): void {
    this.wake('log');
    this.wake('jobs');
  }
}
