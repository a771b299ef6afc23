/** The name of the relay's lease and of its cursor. */
export const RELAY_NAME = 'relay';
