import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { waitFor } from '#testing';
import { ROOT } from '../../tools/infra/paths.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { ensurePrometheus } from '../../tools/infra/prometheus.mjs';
import { PrometheusServer } from './prometheus-server.js';
import { ALERT_CASES, labelsOf, RULES, RULES_FILE, ruleTests, shardOf } from './rule-tests.js';

/**
 * Tests the alert rules in Prometheus: `promtool` checks the times and texts of the alerts, and a
 * Prometheus server shows that they fire.
 */

const dir = scratchDir(mkdtempSync(join(tmpdir(), 'alerts-')));
let programs: { readonly prometheus: string; readonly promtool: string };
let server: PrometheusServer;

beforeAll(async () => {
  programs = await ensurePrometheus();
  server = await PrometheusServer.start(programs.prometheus, dir);
});
afterAll(() => server.stop());

/** Returns the output of `promtool`, even if it reports errors. */
const promtool = async (...args: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(programs.promtool, args).catch(
    (error: Readonly<Record<'stdout' | 'stderr', string>>) => error,
  );
  return `${stdout}${stderr}`;
};

const evaluate = (rulesFile: string): Promise<string> => {
  const file = join(dir, 'tests.json');
  writeFileSync(file, JSON.stringify(ruleTests(rulesFile)));
  return promtool('test', 'rules', file);
};

test('every alert has a test in which it fires', () => {
  const tested = new Set(ALERT_CASES.map(({ alert }) => alert));
  expect(RULES.map(({ alert }) => alert).filter((alert) => !tested.has(alert))).toEqual([]);
});

test('each alert fires for a shard with bad metrics, and for no shard with good metrics', async () => {
  const output = await evaluate(RULES_FILE);
  expect(output).toContain('SUCCESS');
  expect(output).not.toContain('FAILED');
});

test('the tests of the alerts fail if a rule has a wrong threshold, a wrong duration, a sum over all shards or an unknown label', async () => {
  const wrong: readonly (readonly [alert: string, from: string, to: string])[] = [
    ['CallStuck', 'state="stuck"}) > 0', 'state="stuck"}) > 1'],
    ['MerchantWaits', 'for: 4h', 'for: 5h'],
    ['MerchantReadsLate', '21600\n        for: 30m', '21600'],
    ['WorkflowBlocked', 'max by (shard, saga)', 'max by (saga)'],
    ['HistoryOld', '$labels.mode', '$labels.account'],
  ];
  let text = readFileSync(RULES_FILE, 'utf8');
  for (const [, from, to] of wrong) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  const file = join(dir, 'wrong.yml');
  writeFileSync(file, text);
  const output = await evaluate(file);
  const failed = new Set([...output.matchAll(/alertname: (\w+)/g)].map(([, alert]) => alert));
  const expected = [...wrong.map(([alert]) => alert), 'WorkflowRetrying'];
  expect([...failed].toSorted()).toEqual(expected.toSorted());
});

test('each alert fires on a Prometheus server when the metrics turn bad', async () => {
  await server.turnBad();
  const expected = ALERT_CASES.map((one) => ({
    alertname: one.alert,
    ...labelsOf(one),
    shard: shardOf(one),
  }));
  const missing = async () => {
    const firing = await server.firing();
    return expected.filter((alert) => !firing.some((one) => isDeepStrictEqual(one, alert)));
  };
  await waitFor(async () => (await missing()).length === 0, { everyMs: 250 }).catch(() => null);
  expect(await missing()).toEqual([]);
  expect(await server.failedRules()).toEqual([]);
});

test('Prometheus can evaluate the dashboards, and every business metric is shown', async () => {
  const expressionsOf = (name: string): readonly string[] => {
    const text = readFileSync(join(ROOT, 'docs', 'grafana', `${name}.json`), 'utf8');
    const { panels } = JSON.parse(text) as {
      readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
    };
    return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  };
  for (const expression of [...expressionsOf('flow'), ...expressionsOf('provider')]) {
    expect(await server.seriesOf(expression)).toBeGreaterThanOrEqual(0);
  }
  const empty: string[] = [];
  for (const expression of expressionsOf('business')) {
    if ((await server.seriesOf(expression)) === 0) empty.push(expression);
  }
  expect(empty).toEqual([]);
});

test('the scrape configuration in the documentation is valid', async () => {
  const readme = readFileSync(join(ROOT, 'docs', 'grafana', 'README.md'), 'utf8');
  const [, config = ''] = /^```yaml\n(.+?)^```$/ms.exec(readme) ?? [];
  const file = join(dir, 'documented.yml');
  writeFileSync(file, config);
  expect(await promtool('check', 'config', file)).toContain('SUCCESS');
});
