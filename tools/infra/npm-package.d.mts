/**
 * Installs `name@version` into a folder of its own, without install scripts and without the
 * packages that it expects its user to have.
 */
export function installPackage(home: string, wanted: string): Promise<void>;
