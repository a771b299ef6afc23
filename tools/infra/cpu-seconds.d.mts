/**
 * The CPU seconds of a process and of all its descendants, including those that have ended; 0 on
 * systems without /proc.
 */
export declare const cpuSecondsOfTree: (pid: number) => number;
