import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaSettingsFromEnv } from '#kafka';
import { adminConfig } from '../../apps/admin/admin-config.js';
import { apiConfig } from '../../apps/api/api-config.js';
import { workerConfig } from '../../apps/worker/worker-config.js';
import { SECRETS_OF } from '../../tools/infra/app-environment.mjs';
import { scratchDir } from '../../tools/infra/processes.mjs';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';
import { heapArgs } from '../../tools/infra/settings.mjs';
import {
  chartWith,
  type KubernetesObject,
  objectsIn,
  type Pod,
  RELEASE,
  render,
  VALUES,
  type ValuesName,
} from './rendered.js';
import { documentedFor, PROCESSES, type ProcessName } from './variables.js';

const INSTALLED_WITHIN_MS = 300_000;
const MOUNT = '/run/secrets/orchestrator';

const rendered = new Map<ValuesName, readonly KubernetesObject[]>();
beforeAll(async () => {
  for (const values of VALUES) rendered.set(values, objectsIn(await render(values)));
}, INSTALLED_WITHIN_MS);

const podOf = (values: ValuesName | readonly KubernetesObject[], name: string): Pod => {
  const objects = typeof values === 'string' ? (rendered.get(values) ?? []) : values;
  const found = objects.find(
    ({ kind, metadata }) =>
      ['Deployment', 'Job'].includes(kind) && metadata.name === `${RELEASE}-${name}`,
  );
  if (found === undefined) throw new Error(`the chart has no pods of ${name}`);
  return found.spec.template.spec;
};

const environmentOf = ({ containers: [{ env }] }: Pod): Readonly<Record<string, string>> =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

/** The names of a pod's variables that the documentation does not list for the process. */
const unknownIn = (pod: Pod, name: ProcessName): readonly string[] => {
  const known = documentedFor(name);
  return Object.keys(environmentOf(pod)).filter(
    (variable) => !known.has(variable) && !known.has(variable.replace(/_FILE$/, '')),
  );
};

/** Secret values in files, as the volume of the pod mounts them. */
const mountSecrets = (pod: Pod): string => {
  const folder = scratchDir(mkdtempSync(join(tmpdir(), 'secrets-')));
  const values: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgres://orchestrator_app:a-long-password@log-rw/log?sslmode=verify-full',
    SECRETS_KEY: `k1:${randomBytes(32).toString('base64')}`,
    NOTICE_WEBHOOK_URL: 'https://hooks.example/desk',
    NOTICE_SMTP_URL: 'smtps://console:a-long-password@mail.example',
    PARTNER_TEST_KEY: 'spart_test_0123456789abcdef',
    PARTNER_LIVE_KEY: 'spart_live_0123456789abcdef',
  };
  for (const { secret } of pod.volumes[0].projected.sources) {
    for (const { path } of secret.items) {
      writeFileSync(join(folder, path), values[path] ?? `value of ${path}`);
    }
  }
  return folder;
};

/** Runs `read` with the environment of a pod, in the production profile of the image. */
const inPod = <T>(pod: Pod, read: () => T): T => {
  const folder = mountSecrets(pod);
  const before = process.env;
  const variables = Object.entries(environmentOf(pod)).map(
    ([name, value]) => [name, value.replace(MOUNT, folder)] as const,
  );
  process.env = { NODE_ENV: 'production', ...Object.fromEntries(variables) };
  try {
    return read();
  } finally {
    process.env = before;
  }
};

const portsOf = ({ containers: [{ ports = [] }] }: Pod): Readonly<Record<string, number>> =>
  Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));

describe.each(VALUES)('with the values %s', (values) => {
  test.each(PROCESSES)('each environment variable of %s is documented for this process', (name) => {
    expect(unknownIn(podOf(values, name), name)).toEqual([]);
  });

  test('the api accepts its settings in production, and listens on the ports of its container', () => {
    const pod = podOf(values, 'api');
    const { port, internalPort, tls } = inPod(pod, apiConfig);
    expect(portsOf(pod)).toEqual({
      http: port,
      metrics: internalPort,
      ...(values === 'minimal' ? {} : { webhooks: tls?.port }),
    });
  });

  test('the worker accepts its settings in production, and listens on the port of its container', () => {
    const pod = podOf(values, 'worker');
    expect(portsOf(pod)).toEqual({ metrics: inPod(pod, workerConfig).port });
    const { tls, sasl } = inPod(pod, kafkaSettingsFromEnv);
    expect(tls).toEqual(
      { minimal: { ca: null }, production: { ca: 'value of kafka-ca.crt' }, everything: null }[
        values
      ],
    );
    expect(sasl).toEqual(
      values === 'minimal'
        ? null
        : expect.objectContaining({ password: 'value of KAFKA_SASL_PASSWORD' }),
    );
  });

  test('admin accepts its settings in production, and listens on the port of its container', () => {
    const pod = podOf(values, 'admin');
    expect(portsOf(pod)).toEqual({ http: inPod(pod, adminConfig).port });
  });

  test.each([...PROCESSES, 'migrate'] as const)(
    '%s gets only the secrets that it reads',
    (name) => {
      const pod = podOf(values, name);
      const own = name === 'migrate' ? ['DATABASE_URL'] : (SECRETS_OF[name] ?? []);
      const secrets = Object.keys(environmentOf(pod))
        .filter((variable) => variable.endsWith('_FILE'))
        .filter((variable) => !['TLS_CERT_FILE', 'KAFKA_CA_FILE'].includes(variable))
        .map((variable) => (own.includes(variable) ? variable : variable.replace(/_FILE$/, '')));
      if (values === 'everything') expect(secrets.sort()).toEqual([...own].sort());
      else expect(own).toEqual(expect.arrayContaining(secrets));
      const mounted = pod.volumes[0].projected.sources.flatMap(({ secret }) => secret.items);
      for (const { path } of mounted) {
        const isPublic = ['postgres-ca.crt', 'kafka-ca.crt', 'tls.crt', 'tls.key'].includes(path);
        expect([path, isPublic || own.includes(path)]).toEqual([path, true]);
      }
    },
  );

  test.each([...PROCESSES, 'migrate'] as const)(
    '%s runs without rights on its container, the node and the cluster',
    (name) => {
      const pod = podOf(values, name);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 1_000,
          seccompProfile: { type: 'RuntimeDefault' },
        },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
            resources: {
              requests: {
                cpu: expect.any(String) as unknown,
                memory: expect.any(String) as unknown,
              },
            },
          },
        ],
      });
      expect(pod.topologySpreadConstraints?.length ?? 0).toBe(name === 'migrate' ? 0 : 2);
    },
  );
});

test.each(PROCESSES)(
  '%s starts as in the image, and is probed on its own health routes',
  (name) => {
    const [container] = podOf('minimal', name).containers;
    expect(container.command).toEqual([
      'node',
      '--enable-source-maps',
      ...heapArgs(name),
      `dist/programs/${name}.js`,
    ]);
    const port = name === 'worker' ? 'metrics' : 'http';
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect(startupProbe.httpGet).toEqual({ path: '/health/live', port });
    expect(livenessProbe.httpGet).toEqual({ path: '/health/live', port });
    expect(readinessProbe.httpGet).toEqual({ path: '/health/ready', port });
  },
);

test('each process connects to the database with a secret of its own role', () => {
  const secretOf = (name: string): string =>
    podOf('minimal', name)
      .volumes[0].projected.sources.map(({ secret }) => secret)
      .find(({ items }) => items.some(({ path }) => path === 'DATABASE_URL'))?.name ?? '';
  const { owner, apps } = DATABASE_ROLES.orchestrator;
  expect(secretOf('migrate')).toBe(owner.replace('_', '-'));
  for (const name of PROCESSES) expect(secretOf(name)).toBe(apps[name]?.replace('_', '-'));
});

test('Services and NetworkPolicies name ports that the pods have', () => {
  for (const values of VALUES) {
    const objects = rendered.get(values) ?? [];
    for (const { kind, metadata, spec } of objects) {
      const labels = kind === 'Service' ? spec.selector : spec.podSelector?.matchLabels;
      const component = labels?.['app.kubernetes.io/component'];
      if (component === undefined || component === 'migrate') continue;
      const ports = portsOf(podOf(values, component));
      const named = [...JSON.stringify(spec).matchAll(/"(?:targetPort|port)":"(\w+)"/g)];
      expect(named.length).toBeGreaterThan(0);
      for (const [, port = ''] of named) {
        expect([metadata.name, port, Object.keys(ports)]).toEqual([
          metadata.name,
          port,
          expect.arrayContaining([port]),
        ]);
      }
    }
  }
});

test('a variable that the configuration does not document is refused in the values, and reported if a template sets it', async () => {
  await expect(
    render('minimal', { sets: ['worker.env.PROVIDER_READS_PER_HOUR=1'] }),
  ).rejects.toThrow(/'\/worker\/env': .*'PROVIDER_READS_PER_HOUR' not allowed/);
  const chart = chartWith(['templates/_helpers.tpl', 'name: HOST', 'name: HOSTNAME_TO_BIND']);
  const objects = objectsIn(await render('minimal', { chart }));
  expect(unknownIn(podOf(objects, 'api'), 'api')).toEqual(['HOSTNAME_TO_BIND']);
});
