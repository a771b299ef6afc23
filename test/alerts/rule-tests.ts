import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../tools/infra/paths.mjs';
import { type AlertCase, inShard, type Series } from './alert-case.js';
import { PAYMENT_ALERTS } from './payment-alerts.js';
import { NOTHING_SCRAPED, PROCESS_ALERTS } from './process-alerts.js';

export const RULES_FILE = join(ROOT, 'docs', 'grafana', 'alerts.yml');

export const ALERT_CASES: readonly AlertCase[] = [...PROCESS_ALERTS, ...PAYMENT_ALERTS];

interface Rule {
  readonly alert: string;
  readonly expr: string;
  /** How long the expression must be true, e.g. `30s`, `10m` or `4h`. */
  readonly for?: string;
  readonly labels: { readonly severity: string };
}

const { groups } = parse(readFileSync(RULES_FILE, 'utf8')) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};

export const RULES: readonly Rule[] = groups.flatMap(({ rules }) => rules);

const MINUTES_OF: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60 };

/**
 * The last minute of the duration in the rule's `for`, during which the alert cannot fire; null if
 * the rule has no `for`.
 */
const silentUntil = (alert: string): number | null => {
  const duration = RULES.find((rule) => rule.alert === alert)?.for;
  if (duration === undefined) return null;
  return Math.ceil(parseInt(duration, 10) * (MINUTES_OF[duration.slice(-1)] ?? NaN)) - 1;
};

/** The labels of a firing alert, without the label `shard`. */
export const labelsOf = ({ alert, fired }: AlertCase): Readonly<Record<string, string>> => {
  const severity = RULES.find((rule) => rule.alert === alert)?.labels.severity;
  return { ...(severity === undefined ? {} : { severity }), ...fired.labels };
};

/** The shard to which the test assigns the series with which an alert fires. */
export const shardOf = (one: AlertCase): string => `bad-${ALERT_CASES.indexOf(one)}`;

const firedIn = (one: AlertCase, shard: string | null): object => ({
  exp_labels: { ...labelsOf(one), ...(shard === null ? {} : { shard }) },
  exp_annotations: {
    summary: one.fired.summary,
    runbook: `docs/runbook.md#${one.alert.toLowerCase()}`,
  },
});

const checkOf = (alert: string, minute: number, fired: readonly object[]): object => ({
  eval_time: `${minute}m`,
  alertname: alert,
  exp_alerts: fired,
});

const inputOf = (series: Series): readonly object[] =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }));

/**
 * The bounds, in minutes, by which the alerts are divided into tests. Alerts that need hours are in
 * a separate test, because `promtool` evaluates every alert of a test until the test's last minute.
 */
const MINUTES = [0, 40, 130, Infinity] as const;

/**
 * A test of several alerts. Each alert has one shard with series that must cause it (bad), and one
 * shard with series that must not (good). The alert must fire for the bad shard only, and not
 * before the duration in `for` is over.
 */
const together = (cases: readonly AlertCase[]): object => ({
  name: 'alerts, each in a shard of its own',
  interval: '1m',
  input_series: cases.flatMap((one) => [
    ...inputOf(inShard(one.bad, shardOf(one))),
    ...inputOf(inShard(one.good, shardOf(one).replace('bad', 'good'))),
  ]),
  alert_rule_test: cases.flatMap(({ alert, minute }) => {
    const ofAlert = cases.filter((one) => one.alert === alert);
    const early = silentUntil(alert);
    return [
      ...(early === null ? [] : [checkOf(alert, early, [])]),
      checkOf(
        alert,
        minute,
        ofAlert.map((one) => firedIn(one, shardOf(one))),
      ),
    ];
  }),
});

/**
 * A separate test of one alert on a missing metric. It has no shards, because the series of other
 * alerts' shards would contain the metric.
 */
const alone = (one: AlertCase): readonly object[] =>
  (['bad', 'good'] as const).map((series) => ({
    name: `${one.alert} with ${series} series, without shards`,
    interval: '1m',
    input_series: inputOf(one[series]),
    alert_rule_test: [checkOf(one.alert, one.minute, series === 'bad' ? [firedIn(one, null)] : [])],
  }));

const isOnMissing = ({ alert }: AlertCase): boolean => alert === 'AppDown' || alert === 'NoWorker';

/** The tests of all alerts for `promtool test rules`, on this file of rules. */
export const ruleTests = (rulesFile: string): object => ({
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: [
    ...MINUTES.slice(1).map((until, index) =>
      together(
        ALERT_CASES.filter(({ minute }) => minute <= until && minute > (MINUTES[index] ?? 0)),
      ),
    ),
    ...[...ALERT_CASES.filter(isOnMissing), NOTHING_SCRAPED].flatMap(alone),
  ],
});
