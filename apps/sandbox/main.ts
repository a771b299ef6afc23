import { startSandbox } from './sandbox-app.js';
import { sandboxConfigFromEnv } from './sandbox-config.js';

await startSandbox(sandboxConfigFromEnv());
