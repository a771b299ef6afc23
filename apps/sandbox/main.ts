import { startShop } from './people/shop/shop-app.js';
import { shopConfigFromEnv } from './people/shop/shop-config.js';
import { startSandbox } from './sandbox-app.js';
import { sandboxConfigFromEnv } from './settings/sandbox-config.js';

const config = sandboxConfigFromEnv();
const shopConfig = shopConfigFromEnv(config.publicUrl);
await startSandbox(config);
if (shopConfig !== null) await startShop(shopConfig);
