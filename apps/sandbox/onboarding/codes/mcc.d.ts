/** The library has no types of its own. */
declare module 'mcc' {
  interface MerchantCategory {
    readonly mcc: string;
    readonly edited_description: string;
  }
  const mcc: {
    get(code: number | string): MerchantCategory | undefined;
  };
  // oxlint-disable-next-line import/no-default-export -- as the library does
  export default mcc;
}
