/** The number of messages by outcome since the process started. */
export interface Counts {
  /** Events that were handled and whose effect was committed. */
  handled: number;
  /** Events of a type without a handler. */
  passed: number;
  /**
   * Events without a handler whose type or schema version this release of the package does not know,
   * e.g. a renamed or newer type.
   */
  unknown: number;
  /** Repeated events, which were dropped because their version has already been handled. */
  repeated: number;
  /** Events that were stored because their stream is blocked. */
  kept: number;
  /** The number of times that a stream was blocked. */
  blocked: number;
  /** Messages that were dropped because they cannot be decoded as an event. */
  undecodable: number;
  /**
   * Messages that were dropped because the orchestrator's log has their stream, but not this event.
   */
  unconfirmed: number;
  /**
   * Messages that were dropped because the log returns no such stream to this API key: the stream
   * belongs to another platform, or the message is forged.
   */
  foreign: number;
}

export const noCounts = (): Counts => ({
  handled: 0,
  passed: 0,
  unknown: 0,
  repeated: 0,
  kept: 0,
  blocked: 0,
  undecodable: 0,
  unconfirmed: 0,
  foreign: 0,
});

/** Gauges in addition to the counts; null when the values cannot be read now. */
export interface Gauges {
  readonly lag: number | null;
  readonly blockedStreams: number | null;
}

const family = (name: string, type: string, help: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;

const gauge = (name: string, help: string, label: string, value: number | null): string =>
  family(name, 'gauge', help, value === null ? [] : [`${name}{${label}} ${value}\n`]);

/** The counts and gauges in the text format of Prometheus. A gauge without a value is left out. */
export const exposition = (subscriber: string, counts: Counts, gauges: Gauges): string => {
  const label = `subscriber="${subscriber}"`;
  const outcomes = Object.entries(counts).map(
    ([outcome, count]) => `subscriber_messages_total{${label},outcome="${outcome}"} ${count}\n`,
  );
  return [
    family('subscriber_messages_total', 'counter', 'Messages by their outcome', outcomes),
    gauge(
      'subscriber_lag_messages',
      'Messages not handled yet, over all topics',
      label,
      gauges.lag,
    ),
    gauge('subscriber_blocked_streams', 'Streams that are blocked', label, gauges.blockedStreams),
  ].join('');
};
