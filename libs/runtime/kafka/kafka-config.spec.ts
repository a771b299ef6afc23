import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '#platform';
import { kafkaSettingsFromEnv } from './kafka-config.js';

const kept = { ...process.env };
const set = (values: Readonly<Record<string, string>>): void => {
  Object.assign(process.env, { KAFKA_BROKERS: 'one:9092, two:9092' }, values);
};
afterEach(() => {
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('KAFKA_') || name === 'TOPIC_PREFIX') delete process.env[name];
  }
  Object.assign(process.env, kept);
});

test('by default Kafka is used with plain text, six partitions and no topic prefix', () => {
  set({});
  expect(kafkaSettingsFromEnv()).toEqual({
    brokers: ['one:9092', 'two:9092'],
    topics: { prefix: '', partitions: 6, replication: 1 },
    tls: null,
    sasl: null,
  });
});

test('Kafka settings may contain a private certificate authority for TLS, and SASL credentials', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ca-'));
  writeFileSync(join(folder, 'ca.pem'), 'the authority');
  set({
    KAFKA_TLS: '1',
    KAFKA_CA_FILE: join(folder, 'ca.pem'),
    KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512',
    KAFKA_SASL_USERNAME: 'app',
    KAFKA_SASL_PASSWORD: 'secret',
    KAFKA_REPLICATION: '3',
  });
  expect(kafkaSettingsFromEnv()).toMatchObject({
    topics: { replication: 3 },
    tls: { ca: 'the authority' },
    sasl: { mechanism: 'scram-sha-512', username: 'app', password: 'secret' },
  });
  rmSync(folder, { recursive: true });
});

test.each([
  [{ KAFKA_SASL_MECHANISM: 'kerberos', KAFKA_SASL_USERNAME: 'a', KAFKA_SASL_PASSWORD: 'b' }],
  [{ KAFKA_SASL_MECHANISM: 'plain' }],
  [{ KAFKA_PARTITIONS: '0' }],
  [{ KAFKA_TLS: 'yes' }],
])('Kafka settings with %j are rejected', (values) => {
  set(values);
  expect(() => kafkaSettingsFromEnv()).toThrow(ConfigError);
});
