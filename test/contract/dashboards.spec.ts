import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const sourcesBelow = (folder: string): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('.spec.'))
    .map((path) => read(`${folder}/${path}`));

/**
 * The names of all metrics that the code of apps and libs defines, and `up`, which Prometheus adds.
 */
const ours = new Set([
  'up',
  ...[...sourcesBelow('apps'), ...sourcesBelow('libs')].flatMap((text) =>
    [...text.matchAll(/(?:counter|gauge|histogram)\(\s*'([a-z_]+)'/g)].map(([, name]) => name),
  ),
]);

const metricsIn = (expression: string): readonly string[] =>
  [...expression.replaceAll(/"[^"]*"/g, '').matchAll(/\bup\b|[a-z]+(?:_[a-z]+)+/g)]
    .map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''))
    .filter((name) => name !== 'histogram_quantile' && name !== 'max_over_time');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

const { groups } = parse(read('docs/grafana/alerts.yml')) as {
  groups: readonly { rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

test.each(['flow', 'provider'])('the dashboard %s uses only metrics that exist', (name) => {
  const { panels } = JSON.parse(read(`docs/grafana/${name}.json`)) as {
    panels: readonly { targets: readonly { expr: string }[] }[];
  };
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((metric) => !ours.has(metric))).toEqual([]);
});

test.each(rules)('the alert $alert uses a metric that exists', ({ expr }) => {
  const watched = metricsIn(expr);
  expect(watched.length).toBeGreaterThan(0);
  expect(watched.filter((metric) => !ours.has(metric))).toEqual([]);
});

test.each(rules)(
  'both operands of `and`, `or` and `unless` in the alert $alert are aggregated, so that their labels match',
  ({ expr }) => {
    const sides = expr.split(/\s(?:and|or|unless)\s/);
    for (const side of sides.length > 1 ? sides : []) {
      expect(side.trim()).toMatch(/^(?:on \(\) )?(?:max|sum|absent)\b/);
    }
  },
);

test('alerts on a missing metric use metrics that even an idle worker reports', () => {
  const absent = rules.flatMap(({ expr }) => expr.match(/absent\([^)]*\)/g) ?? []);
  expect(absent).toEqual([
    ...['api', 'worker', 'admin'].map((app) => `absent(up{app="${app}"})`),
    'absent(relay_oldest_unpublished_seconds)',
  ]);
});

test.each(rules)('the runbook has a section for $alert', ({ alert, annotations }) => {
  expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
  expect(read('docs/runbook.md')).toContain(`\n### ${alert}\n`);
});

test('every command that the runbook names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...read('docs/runbook.md').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
});
