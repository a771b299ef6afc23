export declare const bundlePrograms: () => Promise<void>;
export declare const programFile: (name: string) => string;
