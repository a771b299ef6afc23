import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';
import { fieldTable } from './fields.mjs';

const FOLDER = join(ROOT, 'docs', 'generated', 'schemas');

/** Every published event with the fields of its data, by the committed schemas. */
export const eventsPage = () => {
  const events = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const schema = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
      const [type, version] = name.split('.');
      return `## ${type}, version ${version.slice(1)}\n\n${fieldTable(schema)}`;
    });
  const introduction =
    'CloudEvents 1.0 on the topics of [asyncapi.yaml](../../docs/generated/asyncapi.yaml). Schemas only ' +
    'grow: ignore fields that you do not know.';
  return ['# Events on Kafka', introduction, ...events].join('\n\n');
};
