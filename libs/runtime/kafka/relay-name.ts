/** The name of both the lease and the cursor. */
export const RELAY_NAME = 'relay';
