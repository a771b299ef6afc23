/** The id of the provider account; a simulation has only this one. */
export const ACCOUNT = 'acc_1';
