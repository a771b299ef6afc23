/** The only provider account of a simulated world. */
export const ACCOUNT = 'acc_1';
