import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MODELS_GENERATOR, pythonClient } from './generate-client-python.js';
import { typescriptClient } from './generate-client-ts.js';
import { ensurePythonTool } from './infra/python-tool.mjs';

/**
 * The last step of `npm run generate`. Writes the generated files of packages/client-ts and
 * clients/python from the OpenAPI document and the event schemas.
 */
const root = process.cwd();
const bin = await ensurePythonTool('models-generator', [MODELS_GENERATOR]);
for (const [path, text] of [...(await typescriptClient(root)), ...pythonClient(root, bin)]) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
