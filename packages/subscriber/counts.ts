/** What became of messages, since the process started. */
export interface Counts {
  /** Handled, and the effect committed. */
  handled: number;
  /** Of a type that no handler is for. */
  passed: number;
  /** Dropped, as their version was dealt with before. */
  repeated: number;
  /** Kept, as their stream is blocked. */
  kept: number;
  /** Times that a stream was blocked. */
  blocked: number;
  /** Not an event that can be read; dropped. */
  undecodable: number;
  /** Of a stream in the orchestrator's log, which does not have this event; dropped. */
  unconfirmed: number;
  /** Of a stream that the log does not have for this key: another platform's, or forged; dropped. */
  foreign: number;
}

export const noCounts = (): Counts => ({
  handled: 0,
  passed: 0,
  repeated: 0,
  kept: 0,
  blocked: 0,
  undecodable: 0,
  unconfirmed: 0,
  foreign: 0,
});

/** What can be shown beside the counts; null where it cannot be read now. */
export interface Gauges {
  readonly lag: number | null;
  readonly blockedStreams: number | null;
}

const family = (name: string, type: string, help: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;

const gauge = (name: string, help: string, label: string, value: number | null): string =>
  family(name, 'gauge', help, value === null ? [] : [`${name}{${label}} ${value}\n`]);

/** The counts and gauges in the text format of Prometheus. A gauge that is not known is left out. */
export const exposition = (subscriber: string, counts: Counts, gauges: Gauges): string => {
  const label = `subscriber="${subscriber}"`;
  const outcomes = Object.entries(counts).map(
    ([outcome, count]) => `subscriber_messages_total{${label},outcome="${outcome}"} ${count}\n`,
  );
  return [
    family('subscriber_messages_total', 'counter', 'Messages by their outcome', outcomes),
    gauge(
      'subscriber_lag_messages',
      'Messages of the topics not yet dealt with',
      label,
      gauges.lag,
    ),
    gauge('subscriber_blocked_streams', 'Streams that cannot go on', label, gauges.blockedStreams),
  ].join('');
};
