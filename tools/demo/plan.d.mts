/** Where everything listens, from PORT_BASE. */
export function portsOfDemo(): Record<string, number>;
