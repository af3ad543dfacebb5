import { firstNamedChild, descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import type { Size } from './jpeg-size.ts';

/** Maximum characters searched for the root element. A licence may come before it. */
const HEAD_CHARS_MAX = 32_000;
/** Maximum labels listed for one drawing: enough for a map, which has a few hundred. */
const LABELS_MAX = 300;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['px', 1],
  ['pt', 4 / 3],
  ['pc', 16],
  ['mm', 96 / 25.4],
  ['cm', 96 / 2.54],
  ['in', 96],
]);

/**
 * Returns the size of an SVG, or of its view box, in CSS pixels; `null` if it declares neither completely, `undefined`
 * if it is not an SVG.
 */
export function svgSize(bytes: Uint8Array): Size | null | undefined {
  const root = rootOf(decode(bytes.subarray(0, 2 * HEAD_CHARS_MAX)).slice(0, HEAD_CHARS_MAX));
  if (root === undefined) return undefined;
  const { width, height, viewBox = '' } = root.attributes;
  const [, , boxWidth = 0, boxHeight = 0] = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const box = boxWidth > 0 && boxHeight > 0 ? { width: boxWidth, height: boxHeight } : null;
  const size = { width: lengthOf(width), height: lengthOf(height) };
  if (size.width !== null && size.height !== null) return { width: size.width, height: size.height };
  if (box === null) return null;
  if (size.width !== null) return { width: size.width, height: (size.width * box.height) / box.width };
  if (size.height !== null) return { width: (size.height * box.width) / box.height, height: size.height };
  return box;
}

export type PictureTexts = { title: string; description: string; labels: readonly string[] };

/** Returns the title, description and labels of an SVG. Scripts in it do not run. */
export function readSvgTexts(bytes: Uint8Array, charsMax: number): PictureTexts {
  const root = rootOf(decode(bytes), charsMax);
  const said = (name: string) => spaced(textOf(firstNamedChild(root, name)));
  const labels = descendantsOf(root, 'text')
    .slice(0, LABELS_MAX)
    .map((label) => spaced(textOf(label)))
    .filter((label) => label !== '');
  return { title: said('title'), description: said('desc') || (root?.attributes['aria-label'] ?? ''), labels };
}

function rootOf(source: string, charsMax?: number): XmlElement | undefined {
  const [root] = parseXml(source, 'local', charsMax).document.children.filter((node) => typeof node !== 'string');
  return root?.name.toLowerCase() === 'svg' ? root : undefined;
}

function decode(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const mark = first * 256 + second;
  return new TextDecoder(mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8').decode(bytes);
}

function lengthOf(text: string | undefined): number | null {
  const [, digits = '', unit = ''] = /^\s*([\d.]{1,20})([a-z]{0,2})\s*$/iu.exec(text ?? '') ?? [];
  const pixels = Number(digits) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN);
  return pixels > 0 && Number.isFinite(pixels) ? pixels : null;
}

function spaced(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
