/** The ports of the demo's processes, counted from PORT_BASE. */
export function portsOfDemo(): Record<string, number>;
