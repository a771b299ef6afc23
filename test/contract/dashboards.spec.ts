import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ALERT_CASES } from '../alerts/rule-tests.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('.spec.'))
    .map((path) => read(`${folder}/${path}`));

const DEFINITION =
  /(?:counter|gauge|histogram)\(\s*'([a-z_]+)',\s*(?:'[^']*'|\w+),?\s*(?:\[([^\]]*)\])?/g;

/**
 * The names of labels: those of `up`, which Prometheus adds, and those of metrics that apps and
 * libs define.
 */
const ours = new Map<string, readonly string[]>([
  ['up', []],
  ...[...sourcesBelow('apps'), ...sourcesBelow('libs')].flatMap((text) =>
    [...text.matchAll(DEFINITION)].map(
      ([, name = '', labels = '']): [string, readonly string[]] => [
        name,
        [...labels.matchAll(/'(\w+)'/g)].map(([, label = '']) => label),
      ],
    ),
  ),
]);

/**
 * Labels that Prometheus adds: those of a scraped target, and the upper bound of a histogram
 * bucket.
 */
const ADDED = ['shard', 'app', 'instance', 'le'];

const FUNCTIONS = ['histogram_quantile', 'max_over_time', 'label_replace'];

/** The text of an expression without the values of labels. */
const withoutValues = (expression: string): string => expression.replaceAll(/"[^"]*"/g, '');

const metricsIn = (expression: string): readonly string[] =>
  [...withoutValues(expression).matchAll(/\bup\b|[a-z]+(?:_[a-z]+)+/g)]
    .map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''))
    .filter((name) => !FUNCTIONS.includes(name));

/** Metrics and labels of an expression that do not exist, e.g. `jobs_open{queue}`. */
const unknownIn = (expression: string): readonly string[] => {
  const text = withoutValues(expression);
  const metrics = metricsIn(expression);
  const known = metrics.flatMap((name) => ours.get(name) ?? []);
  const selected = [...text.matchAll(/(\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/g)].flatMap(
    ([, name = '', matchers = '']) =>
      [...matchers.matchAll(/(\w+)\s*(?:=|!)/g)]
        .filter(([, label = '']) => ![...(ours.get(name) ?? []), ...ADDED].includes(label))
        .map(([, label]) => `${name}{${label}}`),
  );
  const grouped = [...text.matchAll(/\b(?:by|on) \(([^)]*)\)/g)]
    .flatMap(([, labels = '']) => labels.split(/,\s*/))
    .filter((label) => !known.includes(label) && !ADDED.includes(label));
  return [...metrics.filter((name) => !ours.has(name)), ...selected, ...grouped];
};

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

const { groups } = parse(read('docs/grafana/alerts.yml')) as {
  groups: readonly { rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

test.each(['business', 'flow', 'provider'])(
  'the dashboard %s uses only metrics and labels that exist',
  (name) => {
    const { panels } = JSON.parse(read(`docs/grafana/${name}.json`)) as {
      panels: readonly { targets: readonly { expr: string; legendFormat: string }[] }[];
    };
    const targets = panels.flatMap((panel) => panel.targets);
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    for (const { expr, legendFormat } of targets) {
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const grouped = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/) ?? [];
      expect(shown.filter((label) => !grouped.includes(label))).toEqual([]);
    }
  },
);

test.each(rules)('the alert $alert uses metrics and labels that exist', ({ expr }) => {
  expect(metricsIn(expr).length).toBeGreaterThan(0);
  expect(unknownIn(expr)).toEqual([]);
});

test('the check of dashboards and alerts reports a metric and a label that do not exist', () => {
  expect(unknownIn('max by (shard, queue) (jobs_open{state="stuck",why=~"a"})')).toEqual([
    'jobs_open{why}',
    'queue',
  ]);
  expect(unknownIn('sum(orders_lost_total)')).toEqual(['orders_lost_total']);
});

test('the tests of the alerts use only metrics and labels that exist', () => {
  const series = ALERT_CASES.flatMap(({ bad, good }) => Object.keys({ ...bad, ...good }));
  expect(series.flatMap(unknownIn)).toEqual([]);
});

test.each(rules)(
  'both operands of `and`, `or` and `unless` in the alert $alert are aggregated, so that their labels match',
  ({ expr }) => {
    const sides = expr.split(/\s(?:and|or|unless)\s/);
    for (const side of sides.length > 1 ? sides : []) {
      expect(side.trim()).toMatch(
        /^(?:on \(shard\) )?(?:label_replace\()?(?:max|sum|absent|histogram_quantile)\b/,
      );
    }
  },
);

test('alerts on a missing metric use metrics that even an idle worker reports', () => {
  const absent = rules.flatMap(({ expr }) => expr.match(/absent\([^)]*\)/g) ?? []);
  expect(absent).toEqual([
    'absent(up{app=~"all|api|worker|admin"})',
    'absent(relay_oldest_unpublished_seconds)',
  ]);
});

test.each(rules)('the runbook has a section for $alert', ({ alert, annotations }) => {
  expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  expect(read('docs/runbook.md')).toContain(`\n### ${alert}\n`);
});

test('the runbook has sections only on alerts that exist', () => {
  const [, alerts = ''] = /^## Alerts$(.+?)^## /ms.exec(read('docs/runbook.md')) ?? [];
  const sections = [...alerts.matchAll(/^### (.+)$/gm)].map(([, alert]) => alert);
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test('every command that the runbook names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('docs/runbook.md').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
});
