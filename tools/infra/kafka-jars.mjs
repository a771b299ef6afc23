import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { lastLines, run } from './commands.mjs';
import { Failure } from './failure.mjs';
import { checkJava, checkMaven } from './java.mjs';
import { withLock } from './lock.mjs';
import { STATE, stateDir } from './paths.mjs';
import { step } from './say.mjs';
import { KAFKA_VERSION, SCALA_VERSION, SLF4J_VERSION } from './settings.mjs';

/** The folder with the Java libraries of Kafka and of everything that Kafka needs. */
export const KAFKA_LIB = join(STATE, 'kafka-lib');
const MARK = join(KAFKA_LIB, 'version.txt');
const WANTED = `kafka ${KAFKA_VERSION} scala ${SCALA_VERSION} slf4j ${SLF4J_VERSION}`;

/** @param {string} group @param {string} artifact @param {string} version */
const dependency = (group, artifact, version) =>
  `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>` +
  `<version>${version}</version></dependency>`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>kafka-lib</artifactId><version>1</version>
  <packaging>pom</packaging>
  <dependencies>
${dependency('org.apache.kafka', `kafka_${SCALA_VERSION}`, KAFKA_VERSION)}
${dependency('org.slf4j', 'slf4j-simple', SLF4J_VERSION)}
  </dependencies>
</project>
`;

const fetchJars = async () => {
  const work = stateDir('kafka-pom');
  const unfinished = `${KAFKA_LIB}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(work, 'pom.xml'), POM);
  const args = [
    '-B',
    '-q',
    '-f',
    join(work, 'pom.xml'),
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${unfinished}`,
  ];
  const { code, output } = await run('mvn', args);
  if (code !== 0 || !existsSync(join(unfinished, `kafka_${SCALA_VERSION}-${KAFKA_VERSION}.jar`))) {
    throw new Failure(
      'Maven could not fetch Apache Kafka: check the network and the settings of Maven, ' +
        'or set KAFKA_BROKERS to a Kafka of your own.',
      lastLines(output),
    );
  }
  writeFileSync(join(unfinished, 'version.txt'), WANTED);
  rmSync(KAFKA_LIB, { recursive: true, force: true });
  renameSync(unfinished, KAFKA_LIB);
};

const isFetched = () => existsSync(MARK) && readFileSync(MARK, 'utf8') === WANTED;

/** Throws a `Failure` when Java, which runs Kafka, or Maven, which downloads it, is missing. */
export const checkKafkaTools = () => {
  checkJava();
  if (!isFetched()) checkMaven();
};

/** Downloads Kafka once; later runs find it in `.state`. */
export const ensureKafkaJars = () =>
  withLock('kafka-lib', async () => {
    if (isFetched()) return;
    await step(`Apache Kafka ${KAFKA_VERSION} fetched`, fetchJars, {
      doing: `Fetching Apache Kafka ${KAFKA_VERSION}`,
      long: '43 MB by Maven, the first time only',
    });
  });
