import kafkajs from 'kafkajs';
import { createKafka, kafkaAccess, kafkaSettingsFromEnv } from '#kafka';
import { createLogger, envText } from '#platform';
import { reportFailure } from './report-failure.js';

/**
 * `kafka-access`: sets Kafka's ACLs, so that one user may write our topics and another may read
 * them. It runs as the brokers' administrator, and may be repeated.
 */
try {
  const settings = kafkaSettingsFromEnv();
  const admin = createKafka(
    settings,
    'kafka-access',
    createLogger('kafka-access', { level: 'warn' }),
  ).admin();
  const users = {
    writer: envText('KAFKA_WRITER', 'worker'),
    reader: envText('KAFKA_READER', 'subscriber'),
  };
  await admin.connect();
  try {
    await admin.createAcls({
      acl: kafkaAccess(users, settings.topics).map((rule) => ({
        ...rule,
        host: '*',
        permissionType: kafkajs.AclPermissionTypes.ALLOW,
      })),
    });
  } finally {
    await admin.disconnect();
  }
  process.stdout.write(`${users.writer} writes the topics, ${users.reader} reads them\n`);
} catch (error) {
  reportFailure(error);
}
