/**
 * The CPU seconds of a process, of its descendants that still run and of those that have ended; 0
 * where there is no /proc.
 */
export declare const cpuSecondsOfTree: (pid: number) => number;
