import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/infra/paths.mjs';
import { fieldTable } from './fields.mjs';

const FOLDER = join(ROOT, 'docs', 'generated', 'schemas');

/**
 * A page with every published event and the fields of its data, from the JSON schemas in
 * docs/generated.
 */
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
    'gain fields: a subscriber must ignore fields that it does not know.';
  return ['# Events on Kafka', introduction, ...events].join('\n\n');
};
