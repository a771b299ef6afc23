/** The id of the only provider account in a simulation. */
export const ACCOUNT = 'acc_1';
