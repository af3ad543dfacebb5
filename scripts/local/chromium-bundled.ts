import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';

/**
 * The Chromium in the npm package `@sparticuz/chromium`, for machines without a browser: Linux on x64 only. The
 * package's own code is not used, because it unpacks into the machine's temporary folder under fixed names.
 */
export type BundledBrowser = { path: string; environment: Record<string, string> };

const PACKAGE = '@sparticuz/chromium';

/** The environment that the browser needs on this machine, as determined when it was unpacked. */
const NEEDS = 'environment.json';

/**
 * Unpacks the browser into `folder`, once: about 215 MB, about two seconds.
 * @param say tells the user that this takes a while
 * @returns `null` if there is none for this machine
 * @throws if it cannot be unpacked, such as on a full disk
 */
export function unpackBundled(folder: string, say: (text: string) => void): BundledBrowser | null {
  const source = findPackage();
  if (source === null) return null;
  const target = join(folder, `chromium-${source.version}`);
  if (!existsSync(target)) {
    say(`Unpacking Chromium ${source.version}, about 215 MB. This happens once.`);
    unpackInto(target, source.folder);
  }
  return { path: join(target, 'chromium'), environment: keptEnvironment(target) };
}

/** Makes the next start determine the environment again, if the browser does not work with the stored one. */
export function forgetNeeds({ path }: BundledBrowser): void {
  rmSync(join(dirname(path), NEEDS), { force: true });
}

/** Determining the environment starts the browser, so it is done once. */
function keptEnvironment(target: string): Record<string, string> {
  const file = join(target, NEEDS);
  if (existsSync(file)) return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  const found = environmentOf(target);
  writeFileSync(file, JSON.stringify(found));
  return found;
}

function findPackage(): { folder: string; version: string } | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    // The package's entry is build/index.js; package.json is not among its exports.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { folder, version };
  } catch {
    return null; // The package is not installed.
  }
}

/** Unpacks everything or nothing, also if two starts run at the same time. */
function unpackInto(target: string, source: string): void {
  const partial = `${target}.partial-${process.pid}`;
  const read = (name: string) => brotliDecompressSync(readFileSync(join(source, 'bin', name)));
  try {
    mkdirSync(partial, { recursive: true });
    writeFileSync(join(partial, 'chromium'), read('chromium.br'), { mode: 0o700 });
    for (const name of ['swiftshader.tar.br', 'al2023.tar.br', 'fonts.tar.br']) untar(read(name), partial);
    writeFileSync(join(partial, 'fonts.conf'), fontsConfiguration(join(target, 'fonts')));
    renameSync(partial, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** The package provides what the system lacks: the NSS libraries and a font. */
function environmentOf(target: string): Record<string, string> {
  const starts = spawnSync(join(target, 'chromium'), ['--version'], { stdio: 'ignore' }).status === 0;
  return {
    ...(starts ? {} : { LD_LIBRARY_PATH: join(target, 'lib') }),
    ...(hasFonts() ? {} : { FONTCONFIG_FILE: join(target, 'fonts.conf') }),
  };
}

function hasFonts(): boolean {
  const isFilled = (folder: string) => existsSync(folder) && readdirSync(folder).length > 0;
  return existsSync('/etc/fonts/fonts.conf') && ['/usr/share/fonts', '/usr/local/share/fonts'].some(isFilled);
}

function fontsConfiguration(fonts: string): string {
  const dir = fonts.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${dir}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}

const TAR_BLOCK_BYTES = 512;

/** Unpacks plain files and folders of a trusted ustar archive without links and long names. */
function untar(archive: Buffer, folder: string): void {
  for (let at = 0; at < archive.length && archive[at] !== 0;) {
    const field = (start: number, length: number) =>
      archive
        .toString('latin1', at + start, at + start + length)
        .replace(/\0.*$/s, '')
        .trim();
    const size = Number.parseInt(field(124, 12), 8);
    const path = join(folder, field(0, 100));
    at += TAR_BLOCK_BYTES;
    mkdirSync(dirname(path), { recursive: true });
    if (!path.endsWith('/')) {
      writeFileSync(path, archive.subarray(at, at + size), { mode: Number.parseInt(fieldMode(archive, at), 8) });
    }
    at += Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES;
  }
}

function fieldMode(archive: Buffer, end: number): string {
  const start = end - TAR_BLOCK_BYTES;
  return archive.toString('latin1', start + 100, start + 107);
}
