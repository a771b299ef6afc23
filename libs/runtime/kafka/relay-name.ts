/** Both the lease's and the cursor's name. */
export const RELAY_NAME = 'relay';
