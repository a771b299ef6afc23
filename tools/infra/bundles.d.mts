export declare const ensureBundles: () => Promise<void>;
export declare const programFile: (program: string) => string;
