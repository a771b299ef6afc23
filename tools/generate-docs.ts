import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventTypes } from './generate-event-types.js';
import { messagingDocs } from './generate-messaging-docs.js';
import { sandboxOpenApiDocs } from './generate-sandbox-openapi.js';
import { stateMachineDocs } from './generate-state-machines.js';

/**
 * `npm run generate`: writes the files of docs/generated that are generated from event types,
 * states and the sandbox's routes, and the event types of packages/subscriber.
 */
const root = process.cwd();
for (const [path, text] of [
  ...messagingDocs(root),
  ...stateMachineDocs(),
  ...sandboxOpenApiDocs(),
  ...eventTypes(root),
]) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
