/**
 * Installs `name@version` into a separate folder, without install scripts and without peer
 * dependencies.
 */
export function installPackage(home: string, wanted: string): Promise<void>;
