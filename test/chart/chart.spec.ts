import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../tools/infra/paths.mjs';
import {
  CHART,
  chartWith,
  type Complaints,
  complaintsOf,
  KUBERNETES,
  type KubernetesObject,
  lint,
  objectsIn,
  RELEASE,
  render,
  VALUES,
  type ValuesName,
} from './rendered.js';

/** Kinds of the Prometheus operator, whose schemas are not in the Kubernetes API. */
const OPERATOR_KINDS = { PodMonitor, PrometheusRule };

const INSTALLED_WITHIN_MS = 300_000;

const texts = new Map<ValuesName, string>();
const textOf = (values: ValuesName): string => texts.get(values) ?? '';
/**
 * The Kubernetes objects of each set of values, parsed once, because parsing takes longer than most
 * tests.
 */
const parsed = new Map<ValuesName, readonly KubernetesObject[]>();
const ofKind = (values: ValuesName, kind: string): readonly KubernetesObject[] =>
  (parsed.get(values) ?? []).filter((object) => object.kind === kind);

/** The validator's complaints about each set of values and the guide, by version of Kubernetes. */
const complaints = new Map<string, Complaints>();
const complaintsAbout = (name: string, version: string): readonly string[] => {
  const found = complaints.get(version)?.[name];
  if (found === undefined) throw new Error(`${name} was not validated for Kubernetes ${version}`);
  return found;
};

/** The Kubernetes objects of the guide, as YAML. */
const guideObjects = (): string => {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'deploy.md'), 'utf8');
  const objects = [...guide.matchAll(/^```yaml\n(apiVersion: .+?)^```$/gms)].map(
    ([, yaml]) => yaml,
  );
  expect(objects).toHaveLength(3);
  return objects.join('---\n');
};

/** The objects of a chart with planted errors, as YAML. */
let plantedObjects: string;

const renderPlanted = (): Promise<string> => {
  const chart = chartWith(
    ['templates/_pods.tpl', 'revisionHistoryLimit', 'revisionHistoryLimits'],
    ['templates/migrate.yaml', 'backoffLimit: 2', 'backoffLimit: two'],
    ['templates/network-policies.yaml', '[Ingress, Egress]', 'Egress'],
    ['alerts.yml', 'for: 2m', 'for: two minutes'],
  );
  return render('production', { chart });
};

beforeAll(async () => {
  for (const values of VALUES) {
    texts.set(values, await render(values));
    parsed.set(values, objectsIn(textOf(values)));
  }
  plantedObjects = await renderPlanted();
  const files = {
    ...Object.fromEntries(texts),
    guide: guideObjects(),
    planted: plantedObjects,
  };
  for (const version of KUBERNETES) complaints.set(version, await complaintsOf(files, version));
}, INSTALLED_WITHIN_MS);

const isOperators = (complaint: string): boolean =>
  Object.keys(OPERATOR_KINDS).some((kind) =>
    complaint.includes(`Couldn't find schema for kind ${kind} `),
  );

describe.each(VALUES)('with the values %s', (values) => {
  test.each(KUBERNETES)('each object is valid in Kubernetes %s', (version) => {
    const found = complaintsAbout(values, version);
    expect(found.filter((complaint) => !isOperators(complaint))).toEqual([]);
  });

  test('the objects for monitoring are valid in the Prometheus operator', () => {
    for (const [kind, Model] of Object.entries(OPERATOR_KINDS)) {
      const objects = ofKind(values, kind);
      expect(objects).toHaveLength(values === 'minimal' ? 0 : 1);
      for (const object of objects) new Model(object as never).validate();
    }
  });

  test('each pod has a PodDisruptionBudget if it keeps running, and a NetworkPolicy', () => {
    const pods = [...ofKind(values, 'Deployment'), ...ofKind(values, 'Job')];
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(
      ['admin', 'api', 'worker', 'migrate'].map((name) => `${RELEASE}-${name}`),
    );
    const policies = ofKind(values, 'NetworkPolicy').map(({ spec }) => spec.podSelector);
    const budgets = ofKind(values, 'PodDisruptionBudget').map(({ spec }) => spec.selector);
    for (const { kind, spec } of pods) {
      const selector = expect.objectContaining({
        matchLabels: expect.objectContaining({
          'app.kubernetes.io/component':
            spec.template.metadata.labels['app.kubernetes.io/component'],
        }) as unknown,
      }) as unknown;
      expect(policies).toContainEqual(selector);
      if (kind === 'Deployment') expect(budgets).toContainEqual(selector);
    }
  });
});

test('`helm lint` reports nothing about the chart', async () => {
  expect((await lint('everything')).trim()).toBe('');
});

test('the processes refuse to send webhooks to the configured public networks, and the NetworkPolicies allow no egress to these networks', () => {
  const exceptions = (values: ValuesName) =>
    ofKind(values, 'NetworkPolicy')
      .filter(({ metadata }) => metadata.name !== 'pay-migrate')
      .map(({ spec }) =>
        (spec['egress'] as { to?: { ipBlock?: { except?: string[] } }[] }[])
          .flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock?.except ?? []))
          .slice(5),
      );
  const refused = ['198.18.0.0/15', '2001:db8::/32'];
  expect(exceptions('production')).toEqual([[], [], []]);
  expect(exceptions('everything')).toEqual([refused, refused, refused]);
  for (const { spec } of ofKind('everything', 'Deployment')) {
    expect(spec.template.spec.containers[0].env).toContainEqual({
      name: 'WEBHOOKS_REFUSED_CIDRS',
      value: refused.join(','),
    });
  }
});

test('the chart accepts in refusedCidrs only networks that a NetworkPolicy can exclude from egress', async () => {
  for (const cidr of ['198.18.0.1', 'fd00::/8', 'example.com']) {
    const sets = [`networkPolicies.refusedCidrs={${cidr}}`];
    await expect(render('production', { sets })).rejects.toThrow('/networkPolicies/refusedCidrs/0');
  }
});

test('NetworkPolicies can be turned off', async () => {
  const yaml = await render('production', { sets: ['networkPolicies.enabled=false'] });
  expect(objectsIn(yaml).filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([]);
});

test('the validation reports wrong fields of objects, and wrong alert rules', () => {
  const planted = complaintsAbout('planted', KUBERNETES[0]);
  for (const object of ['deployment/pay-api', 'job/pay-migrate', 'networkpolicy/pay-worker']) {
    expect(planted).toContainEqual(expect.stringContaining(`resource ${object} against`));
  }
  const [rule] = objectsIn(plantedObjects).filter(({ kind }) => kind === 'PrometheusRule');
  expect(() => new PrometheusRule(rule as never).validate()).toThrow('must match pattern');
});

test.each(KUBERNETES)(
  'the Kubernetes objects in the guide are valid in Kubernetes %s',
  (version) => {
    const unknown = /Couldn't find schema for kind \w+ with api version \w+\.(?:cnpg|strimzi)\.io/;
    const found = complaintsAbout('guide', version);
    expect(found.filter((complaint) => !unknown.test(complaint))).toEqual([]);
  },
);

test('the PrometheusRule consists of the alert rules of the documentation', () => {
  const rules: unknown = parse(readFileSync(join(ROOT, 'docs', 'grafana', 'alerts.yml'), 'utf8'));
  expect(ofKind('production', 'PrometheusRule').map(({ spec }) => spec)).toEqual([rules]);
});

test('metrics have the labels by which alerts and autoscaling distinguish apps, releases and shards', () => {
  const labelsOf = (values: ValuesName) => {
    const [monitor] = ofKind(values, 'PodMonitor');
    const endpoints = monitor?.spec['podMetricsEndpoints'] as {
      relabelings: { targetLabel?: string; replacement?: string }[];
    }[];
    return endpoints.map(({ relabelings }) =>
      relabelings.flatMap(({ targetLabel, replacement }) =>
        targetLabel === undefined ? [] : [[targetLabel, replacement]],
      ),
    );
  };
  const own = [
    ['app', undefined],
    ['release', 'pay'],
  ];
  expect(labelsOf('production')).toEqual([own, own]);
  const shard = ['shard', 'north'];
  expect(labelsOf('everything')).toEqual([
    [...own, shard],
    [...own, shard],
  ]);
});

test('the api is scaled by CPU use, and the worker by due jobs if a metric is configured', () => {
  const scaling = (values: ValuesName) =>
    Object.fromEntries(
      ofKind(values, 'HorizontalPodAutoscaler').map(({ metadata, spec }) => [
        metadata.name,
        spec['metrics'],
      ]),
    );
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } };
  const byCpu = [{ type: 'Resource', resource: cpu }];
  const jobs = { type: 'AverageValue', averageValue: '100' };
  expect(scaling('minimal')).toEqual({});
  expect(scaling('production')).toEqual({ 'pay-api': byCpu, 'pay-worker': byCpu });
  expect(scaling('everything')).toEqual({
    'pay-api': byCpu,
    'pay-worker': [
      {
        type: 'External',
        external: {
          metric: {
            name: 'orchestrator_jobs_ready',
            // The metric has the label `release`, because the load of one release would otherwise
            // scale other releases in the namespace.
            selector: { matchLabels: { release: 'pay' } },
          },
          target: jobs,
        },
      },
    ],
  });
  // Deployments that are scaled automatically contain no number of pods, because Helm would
  // otherwise reset it at each upgrade.
  for (const { metadata, spec } of ofKind('production', 'Deployment')) {
    expect([metadata.name, spec['replicas']]).toEqual([
      metadata.name,
      metadata.name === 'pay-admin' ? 2 : undefined,
    ]);
  }
});

test('the migrations run before an installation or upgrade, within the network that they need', () => {
  const hooks = objectsIn(textOf('production')).filter(
    ({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined,
  );
  expect(hooks.map(({ kind, metadata }) => [kind, metadata.annotations])).toEqual([
    [
      'NetworkPolicy',
      expect.objectContaining({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '-1',
      }),
    ],
    ['Job', expect.objectContaining({ 'helm.sh/hook': 'pre-install,pre-upgrade' })],
  ]);
});

test('the chart has the version of the product', () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as object;
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(chart).toMatchObject({
    version,
    appVersion: version,
    kubeVersion: `>=${KUBERNETES[0]}.0-0`,
  });
});
