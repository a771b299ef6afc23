import { startSandbox } from './sandbox-app.js';
import { sandboxConfigFromEnv } from './sandbox-config.js';
import { startShop } from './shop/shop-app.js';
import { shopConfigFromEnv } from './shop/shop-config.js';

const config = sandboxConfigFromEnv();
const shopConfig = shopConfigFromEnv(config.publicUrl);
await startSandbox(config);
if (shopConfig !== null) await startShop(shopConfig);
