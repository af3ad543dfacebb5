export declare function toBase64(bytes: Uint8Array): string;
export declare function fromBase64(text: string): Uint8Array<ArrayBuffer>;
