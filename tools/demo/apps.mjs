import { startApp } from '../infra/apps.mjs';

/**
 * Starts the sandbox first: the others read its clock; and the other service last, as it reads our
 * api. @returns the apps, all ready
 */
export const startDemoApps = async (ports, env) => {
  const sandbox = await startApp({ app: 'sandbox', port: ports.sandbox, env });
  const [all, admin] = await Promise.all([
    startApp({ app: 'all', port: ports.api, internalPort: ports.worker, env }),
    startApp({ app: 'admin', port: ports.admin, env }),
  ]);
  const fulfilment = await startApp({
    app: 'fulfilment', folder: 'examples', port: ports.fulfilment, env,
  });
  return [sandbox, all, admin, fulfilment];
};

/** Resolves with the name of the first app that ends by itself. */
export const firstToEnd = (apps) =>
  Promise.race(apps.map(async (app) => {
    await app.exited();
    return app;
  }));
