import { startApp } from '../infra/apps.mjs';

/** Starts the sandbox first: the others read its clock. @returns the apps, all ready */
export const startDemoApps = async (ports, env) => {
  const sandbox = await startApp({ app: 'sandbox', port: ports.sandbox, env });
  const [api, worker, admin] = await Promise.all([
    startApp({ app: 'api', port: ports.api, env }),
    startApp({ app: 'worker', port: ports.worker, env }),
    startApp({ app: 'admin', port: ports.admin, env }),
  ]);
  return [sandbox, api, worker, admin];
};

/** Resolves with the name of the first app that ends by itself. */
export const firstToEnd = (apps) =>
  Promise.race(apps.map(async (app) => {
    await app.exited();
    return app;
  }));
