/**
 * Loads a module of the console, which has a compiler configuration of its own. `name` is its path
 * in console/src, without the ending.
 */
export const consoleModule = async <Module>(name: string): Promise<Module> =>
  (await import(`./console/src/${name}.ts`)) as Module;
