import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

export type PdfEncryption = 'rc4-40' | 'rc4-128' | 'aes-128' | 'aes-256';
export type EncryptOptions = {
  method: PdfEncryption;
  password?: string;
  /** Packs all objects but streams into an object stream. */
  hasObjectStream?: boolean;
  /** Name of the encryption dictionary, as in the trailer. */
  name?: string;
};

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
const OWNER = Buffer.alloc(32, 0x5a);
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
const FILE_KEY = Buffer.alloc(32, 0x42);
const SALTS = [Buffer.from('testsalt'), Buffer.from('keysalts')] as const;

const CONTENT = /^([^]*?)\nstream\n([^]*)\nendstream$/;

/** Encrypts the streams of a PDF of `makePdf` (ISO 32000-2, 7.6), which contain all of its texts. */
export function encryptPdf(
  pdf: Uint8Array,
  { method, password = '', hasObjectStream = false, name = 'Encrypt' }: EncryptOptions,
): Uint8Array {
  const source = Buffer.from(pdf).toString('latin1');
  const bodies = [...source.matchAll(/(\d+) 0 obj\n([^]*?)\nendobj\n/g)].map((match) => match[2] ?? '');
  const { key, entries } = encryptionOf(method, password);
  const sealed = bodies.map((body, index) => {
    const [, dictionary = '', data = ''] = CONTENT.exec(body) ?? [];
    if (dictionary === '') return body;
    const coded = encrypt(method, key, { object: index + 1, data: Buffer.from(data, 'latin1') });
    return asStream(dictionary.replace(/\/Length \d+/, `/Length ${coded.length}`), coded);
  });
  const trailer = `/Root 1 0 R /${name} << ${entries} >> /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`;
  const text = hasObjectStream ? withObjectStream(sealed, { method, key, trailer }) : withTable(sealed, trailer);
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}

function asStream(dictionary: string, data: Buffer): string {
  return `${dictionary}\nstream\n${data.toString('latin1')}\nendstream`;
}

function placed(bodies: readonly string[]): { text: string; places: number[] } {
  let text = '%PDF-1.7\n';
  const places = bodies.map((body, index) => {
    const at = text.length;
    if (body !== '') text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  return { text, places };
}

function withTable(bodies: readonly string[], trailer: string): string {
  const { text, places } = placed(bodies);
  const rows = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${rows}`;
  return `${text}${table}trailer\n<< /Size ${bodies.length + 1} ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`;
}

type Sealing = { method: PdfEncryption; key: Buffer; trailer: string };

function withObjectStream(bodies: readonly string[], { method, key, trailer }: Sealing): string {
  const packed = bodies.flatMap((body, index) => (CONTENT.test(body) ? [] : [{ number: index + 1, body }]));
  let at = 0;
  const header = packed.map(({ number, body }) => {
    const place = `${number} ${at}`;
    at += body.length + 1;
    return place;
  });
  const first = `${header.join(' ')} `;
  const data = deflateSync(Buffer.from(first + packed.map(({ body }) => `${body}\n`).join(''), 'latin1'));
  const holder = bodies.length + 1;
  const coded = encrypt(method, key, { object: holder, data });
  const dictionary = `<< /Type /ObjStm /N ${packed.length} /First ${first.length} /Filter /FlateDecode /Length ${coded.length} >>`;
  const outside = bodies.map((body) => (CONTENT.test(body) ? body : ''));
  const { text, places } = placed([...outside, asStream(dictionary, coded)]);
  const rows = [[0, 0, 255]];
  for (const [index, place] of places.entries()) {
    const within = packed.findIndex(({ number }) => number === index + 1);
    rows.push(within < 0 ? [1, place, 0] : [2, holder, within]);
  }
  rows.push([1, text.length, 0]);
  const table = Buffer.from(
    rows.flatMap(([kind = 0, place = 0, more = 0]) => [kind, place >> 16, place >> 8, place, more]),
  );
  const end = `<< /Type /XRef /Size ${rows.length} /W [1 3 1] ${trailer} /Length ${table.length} >>`;
  return `${text}${holder + 1} 0 obj\n${asStream(end, table)}\nendobj\nstartxref\n${text.length}\n%%EOF\n`;
}

function encryptionOf(method: PdfEncryption, password: string): { key: Buffer; entries: string } {
  if (method === 'aes-256') return encryption256(password);
  const revision = method === 'rc4-40' ? 2 : method === 'rc4-128' ? 3 : 4;
  const length = revision === 2 ? 5 : 16;
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  let key = md5(padded, OWNER, PERMISSIONS, ID);
  if (revision > 2) for (let round = 0; round < 50; round += 1) key = md5(key.subarray(0, length));
  key = key.subarray(0, length);
  let user = revision === 2 ? PADDING : md5(PADDING, ID);
  for (let round = 0; round < (revision === 2 ? 1 : 20); round += 1)
    user = rc4(Buffer.from(key.map((byte) => byte ^ round)), user);
  const shown = Buffer.concat([user, Buffer.alloc(32)])
    .subarray(0, 32)
    .toString('hex');
  const common = `/Filter /Standard /R ${revision} /O <${OWNER.toString('hex')}> /U <${shown}> /P -4`;
  const filters = '/CF << /StdCF << /CFM /AESV2 /Length 16 /AuthEvent /DocOpen >> >> /StmF /StdCF /StrF /Identity';
  const version = revision === 2 ? '/V 1' : revision === 3 ? '/V 2 /Length 128' : `/V 4 /Length 128 ${filters}`;
  return { key, entries: `${common} ${version}` };
}

function encryption256(password: string): { key: Buffer; entries: string } {
  const secret = Buffer.from(password);
  const [check, salt] = SALTS;
  const user = Buffer.concat([hash2B(secret, check), check, salt]);
  const sealed = aes(hash2B(secret, salt), Buffer.alloc(16), FILE_KEY);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  const keys = `/O ${hex(Buffer.alloc(48))} /OE ${hex(Buffer.alloc(32))} /U ${hex(user)} /UE ${hex(sealed)}`;
  const filters = '/CF << /StdCF << /CFM /AESV3 /Length 32 /AuthEvent /DocOpen >> >> /StmF /StdCF /StrF /Identity';
  const entries = `/Filter /Standard /V 5 /R 6 /Length 256 /P -4 /Perms ${hex(Buffer.alloc(16))} ${keys} ${filters}`;
  return { key: FILE_KEY, entries };
}

function hash2B(password: Buffer, salt: Buffer): Buffer {
  let hash = createHash('sha256').update(password).update(salt).digest();
  for (let round = 1, last = 0; round <= 64 || last > round - 1 - 32; round += 1) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => Buffer.concat([password, hash])));
    const coded = aes(hash.subarray(0, 16), hash.subarray(16, 32), block);
    const sum = coded.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    hash = createHash(['sha256', 'sha384', 'sha512'][sum % 3] ?? 'sha256')
      .update(coded)
      .digest();
    last = coded.at(-1) ?? 0;
  }
  return hash.subarray(0, 32);
}

function encrypt(method: PdfEncryption, key: Buffer, { object, data }: { object: number; data: Buffer }): Buffer {
  const place = Buffer.from([object, object >> 8, object >> 16, 0, 0]);
  const salt = Buffer.from(method === 'aes-128' ? 'sAlT' : '');
  const own = method === 'aes-256' ? key : md5(key, place, salt).subarray(0, Math.min(16, key.length + 5));
  if (method.startsWith('rc4')) return rc4(own, data);
  const start = Buffer.alloc(16, 7);
  const padding = 16 - (data.length % 16);
  return Buffer.concat([start, aes(own, start, Buffer.concat([data, Buffer.alloc(padding, padding)]))]);
}

function aes(key: Buffer, iv: Buffer, data: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}

function md5(...parts: readonly Buffer[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  let other = 0;
  const swap = (index: number) => {
    [state[index], state[other]] = [state[other] ?? 0, state[index] ?? 0];
  };
  for (let index = 0; index < 256; index += 1) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) % 256;
    swap(index);
  }
  other = 0;
  return Buffer.from(
    data.map((byte, at) => {
      const index = (at + 1) % 256;
      other = (other + (state[index] ?? 0)) % 256;
      swap(index);
      return byte ^ (state[((state[index] ?? 0) + (state[other] ?? 0)) % 256] ?? 0);
    }),
  );
}
