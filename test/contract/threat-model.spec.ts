import { readFileSync } from 'node:fs';
import { TOPIC_NAMES } from '#kafka';
import { portsOfDemo } from '../../tools/demo/plan.mjs';
import { SECRETS_OF } from '../../tools/infra/app-environment.mjs';
import { environmentOf } from '../../tools/infra/environment.mjs';
import { DATABASE_ROLES } from '../../tools/infra/roles.mjs';

const document = readFileSync('docs/threat-model.md', 'utf8');
const unnamed = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !document.includes(`\`${name}\``));

test('docs/threat-model.md names every port on which a process listens', () => {
  const settings = environmentOf({
    ports: portsOfDemo(),
    databases: {},
    brokers: '',
    secrets: {},
    tls: {},
  });
  const ports = Object.keys(settings).filter((name) => name.endsWith('_PORT'));
  expect(ports.length).toBeGreaterThan(5);
  expect(
    unnamed([...ports, 'API_INTERNAL_PORT', 'FULFILMENT_PORT', 'SANDBOX_STATUS_HISTORY_PORT']),
  ).toEqual([]);
});

test('docs/threat-model.md names every topic, database role and secret', () => {
  const roles = Object.values(DATABASE_ROLES).flatMap(({ owner, apps }) => [
    owner,
    ...(Object.values(apps) as string[]),
  ]);
  const names = [...Object.values(TOPIC_NAMES), ...roles, ...Object.values(SECRETS_OF).flat()];
  expect(unnamed(names)).toEqual([]);
});
