/** The only provider account of a simulation run. */
export const ACCOUNT = 'acc_1';
