declare module 'html-encoding-sniffer' {
  export default function sniffEncoding(
    bytes: Uint8Array,
    options: { xml?: boolean; defaultEncoding?: string; maxPrescanBytes?: number },
  ): string;
}

declare module 'whatwg-mimetype' {
  export class MIMEType {
    static parse(text: string): MIMEType | null;
    readonly essence: string;
    readonly type: string;
    readonly subtype: string;
    readonly parameters: { get(name: string): string | undefined };
  }
}
