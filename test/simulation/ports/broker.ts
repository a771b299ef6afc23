import type { StreamRef } from '#event-store';
import { assert } from '#kernel';
import {
  decodeCloudEvent, type Inbox, type OutgoingMessage, type ParkedKeys,
} from '#messaging';
import type { Random } from '../../../tools/chaos/random.js';
import type { Process } from '../scheduler.js';
import type { SimulatedDatabase } from './database.js';
import type { Exchange } from './exchange.js';

const PARTITIONS = 3;
const REBALANCE = 0.03;

interface Partition {
  readonly messages: OutgoingMessage[];
  /** Where the group reads on: it is told after the work. */
  committed: number;
  owner: Process | null;
  /** Who had it last. */
  last: Process | null;
}

/** A consumer group on topics that may repeat, in order for each key by first occurrence. */
export class SimulatedBroker {
  readonly partitions: Partition[] = [];
  private readonly partitionOf = new Map<string, Partition>();
  private readonly keys = new Map<string, number>();

  /** `onAppended`: told of each message as a subscriber gets it. */
  constructor(
    private readonly random: Random,
    private readonly onAppended: (message: OutgoingMessage) => void,
  ) {}

  append(message: OutgoingMessage): void {
    this.home(message).messages.push(message);
    this.onAppended(message);
  }

  /** Partitions with messages that the group has not dealt with. */
  behind(): readonly number[] {
    return this.partitions.flatMap(({ messages, committed }, index) =>
      (committed < messages.length ? [index] : []));
  }

  /** A partition is one process's; now and then another gets it while the first still works. */
  mayTake(index: number, process: Process): boolean {
    const owner = this.partitions[index]?.owner ?? null;
    return owner === null || !owner.alive || (owner !== process && this.random.chance(REBALANCE));
  }

  /** `onJoin`: what a process remembers of a partition may be out of date when it comes to it. */
  take(index: number, process: Process, onJoin: () => void): Partition {
    const partition = this.partitions[index];
    assert(partition, 'a partition that is behind is there');
    partition.owner = process;
    if (partition.last !== process) onJoin();
    partition.last = process;
    return partition;
  }

  release(index: number, process: Process): void {
    const partition = this.partitions[index];
    if (partition?.owner === process) partition.owner = null;
  }

  /** By the order in which keys come first: ids are random, and must not choose anything. */
  private home({ topic, key }: OutgoingMessage): Partition {
    const name = `${topic} ${key}`;
    const known = this.partitionOf.get(name);
    if (known) return known;
    const count = this.keys.get(topic) ?? 0;
    this.keys.set(topic, count + 1);
    const shared = `${topic} #${count % PARTITIONS}`;
    const home = this.partitionOf.get(shared) ?? {
      messages: [], committed: 0, owner: null, last: null,
    };
    if (!this.partitionOf.has(shared)) this.partitions.push(home);
    this.partitionOf.set(shared, home);
    this.partitionOf.set(name, home);
    return home;
  }
}

export const decoded = (messages: readonly OutgoingMessage[]) => messages.map(decodeCloudEvent);

const keyOf = ({ streamType, streamId }: StreamRef): string => `${streamType} ${streamId}`;

/** What a consumer has taken, and what it could not take. */
export const simulatedInbox = (
  database: SimulatedDatabase, exchange: Exchange, consumer: string,
): Pick<Inbox, 'version' | 'versions' | 'parked'> => ({
  version: (ref) => exchange('read inbox', 'plain', () => database.inboxVersion(consumer, ref)),
  versions: (refs) => exchange('read inbox', 'plain', () =>
    new Map(refs.map((ref) => [keyOf(ref), database.inboxVersion(consumer, ref)]))),
  parked: (refs) => exchange('read parked', 'plain', () =>
    new Set(refs.map(keyOf).filter((key) => database.parked.has(`${consumer} ${key}`)))),
});

export const simulatedParkedKeys = (
  database: SimulatedDatabase, exchange: Exchange,
): Pick<ParkedKeys, 'park'> => ({
  park: (consumer, message, previous, error) => exchange('park', 'plain', () => {
    if (database.inboxVersion(consumer, message) !== previous) return false;
    const { streamType, streamId, version } = message;
    database.parked.set(`${consumer} ${keyOf(message)}`, {
      consumer, streamType, streamId, version,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return true;
  }),
});
