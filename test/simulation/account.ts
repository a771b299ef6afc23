/** The one provider account of a world. */
export const ACCOUNT = 'acc_1';
