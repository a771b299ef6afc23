import { environmentFor } from '../infra/app-environment.mjs';
import { startApp } from '../infra/apps.mjs';

const startDemoApp = ({ env, ...options }) =>
  startApp({ ...options, env: environmentFor(options.app, env) });

/**
 * Starts the apps. The sandbox is first, because the other apps read its clock. The fulfilment
 * example is last, because it reads the api. @returns the apps, all of which are ready
 */
export const startDemoApps = async (ports, env) => {
  const sandbox = await startDemoApp({ app: 'sandbox', port: ports.sandbox, env });
  const [all, admin] = await Promise.all([
    startDemoApp({ app: 'all', port: ports.api, internalPort: ports.worker, env }),
    startDemoApp({ app: 'admin', port: ports.admin, env }),
  ]);
  const fulfilment = await startDemoApp({
    app: 'fulfilment',
    port: ports.fulfilment,
    env,
  });
  return [sandbox, all, admin, fulfilment];
};

export const firstToEnd = (apps) =>
  Promise.race(
    apps.map(async (app) => {
      await app.exited();
      return app;
    }),
  );
