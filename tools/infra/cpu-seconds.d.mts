/**
 * The CPU seconds of a process, including its running and its ended descendants; 0 where there is
 * no /proc.
 */
export declare const cpuSecondsOfTree: (pid: number) => number;
