export declare function isBlank(text: string): boolean;
export declare function removeBlanks(text: string): string;
