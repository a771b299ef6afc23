/** Series as Prometheus collects them: one sample a minute, in the notation of `promtool`. */
export type Series = Readonly<Record<string, string>>;

/** The expected alert: its labels except the severity, and its text. */
interface Fired {
  readonly labels?: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface AlertCase {
  readonly alert: string;
  readonly minute: number;
  /** Series with which the alert fires. */
  readonly bad: Series;
  readonly fired: Fired;
  /** Series with which the alert does not fire. */
  readonly good: Series;
}

/** The value at this minute, in the notation of `promtool`; null if the series has ended. */
export const valueAt = (values: string, minute: number): number | null => {
  const samples = values.split(' ').flatMap((part): readonly (number | null)[] => {
    const [, first, step = '0', times] = /^(-?\d+)([+-]\d+)?x(\d+)$/.exec(part) ?? [];
    if (part !== 'stale' && times === undefined) throw new Error(`values are unreadable: ${part}`);
    if (part === 'stale') return [null];
    return Array.from({ length: Number(times) + 1 }, (_, n) => Number(first) + n * Number(step));
  });
  return samples[minute] ?? null;
};

/** The series with a label `shard` of this value. */
export const inShard = (series: Series, shard: string): Series =>
  Object.fromEntries(
    Object.entries(series).map(([name, values]) => {
      const label = `shard="${shard}"`;
      const [metric = '', labels] = name.split(/[{}]/);
      return [`${metric}{${labels === undefined ? label : `${label},${labels}`}}`, values];
    }),
  );
