/** Whether this version of Node is supported. */
export function isNodeFit(version: string): boolean;

export function checkNode(): void;
export function checkDisk(): void;

export function checkPorts(ports: Readonly<Record<string, number>>, graceMs: number): Promise<void>;
