import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { answers } from './commands.mjs';
import { Failure } from './failure.mjs';

const INSTEAD = 'or set KAFKA_BROKERS to a Kafka of your own';

export const java = () => {
  const home = process.env.JAVA_HOME;
  const own = home === undefined ? undefined : join(home, 'bin', 'java');
  return own !== undefined && existsSync(own) ? own : 'java';
};

export const checkJava = () => {
  const { status, stderr } = spawnSync(java(), ['-version'], { encoding: 'utf8' });
  if (status !== 0) {
    throw new Failure(`Java was not found: install Java 17 (openjdk-17-jre-headless), ${INSTEAD}.`);
  }
  const major = Number(/version "(?:1\.)?(\d+)/.exec(stderr)?.[1] ?? 0);
  if (major < 17) {
    throw new Failure(`Java ${major} is too old for Kafka: install Java 17 or newer, ${INSTEAD}.`);
  }
};

/** Throws a `Failure` when Maven, which downloads Kafka, is missing. */
export const checkMaven = () => {
  if (!answers('mvn', ['-v'])) {
    throw new Failure(`Maven was not found: install it (the package maven), ${INSTEAD}.`);
  }
};
