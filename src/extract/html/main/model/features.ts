import type { WorkSteps } from '#core/flow/turns.ts';
import {
  BODY_FEATURE_NAMES,
  measureBody,
  pushBodyFeatures,
  pushCommonWords,
  pushProseSums,
  sampleWords,
} from './body.ts';
import type { BodyMeasures } from './body.ts';
import { phraseShares } from './traits.ts';
import { HEADING_TRAITS } from '#extract/html/main/headings.ts';
import { mapToSampledSegments } from '#extract/html/main/choose.ts';
import { FeatureRowWriter, booleanToNumber, approximateLog2, roundedShare } from './row-writer.ts';
import { countCharacters } from './characters.ts';
import { TEXT_DISTANCE_MAX, PAGE_FEATURE_NAMES, describePage } from './page.ts';
import type { SegmentedPage } from './page.ts';
import { MODEL_FEATURE_TAGS } from '#extract/html/main/segments.ts';
import type { SegmentAncestor, TextSegment, SiblingGroup } from '#extract/html/main/segments.ts';
import type { PageTraits } from './traits.ts';
import { SENTENCE_END, WORD_GROUP_NAMES, lowerCaseWords } from './words.ts';

/** `needs` is quicker than `pattern`, and matches every text that `pattern` matches. */
type TextTrait = readonly [name: string, pattern: RegExp, needs?: RegExp];

const TEXT_TRAITS: readonly TextTrait[] = [
  [
    'legal',
    /©|copyright|all rights reserved|privacy policy|terms of (?:use|service)|cookie|alle rechte|datenschutz|impressum|tous droits|mentions légales|confidentialité|reservados|riservati|privacidad|privacidade|все права|版权所有|無断転載/i,
  ],
  [
    'signup',
    /newsletter|subscribe|sign up|log ?in|sign in|register|create an account|your e-?mail|abonnieren|anmelden|abonnez|abonnement|inscri(?:vez|ption|pci|viti)|suscr[ií]b|iscriviti|assine|подпи(?:с|ш)|登录|注册|登録/i,
  ],
  [
    'share',
    /\b(?:share|tweet|pin it|facebook|twitter|instagram|linkedin|whatsapp|telegram|follow us|copy link|teilen|partager|compartir|condividi|compartilhar|udostępnij)\b|поделиться|分享|シェア/i,
  ],
  [
    'react',
    /^(?:reply|quote|report|like|likes|upvote|vote|flag|edit|delete|permalink|share|save|print|close|cancel|submit|search|menu|more|loading|antworten|drucken|répondre|imprimer|responder|imprimir|rispondi|stampa)\b|^(?:ответить|回复|返信)/i,
  ],
  [
    'onward',
    /^(?:read|see|view|show|learn|load|shop|browse|explore|discover|get|find|continue|skip|back|next|previous|mehr|weiter|weiterlesen|lire|voir|leer|lea|ver|leggi|vedi|leia|veja|lees|czytaj|zobacz)\b|^(?:читать|читайте|далее|更多|続き)/i,
  ],
  [
    'related',
    /\b(?:related|recommended|you may (?:also )?like|more from|popular|trending|see also|recently viewed|similar|customers also|auch interessant|verwandte|meistgelesen|weitere artikel|lire aussi|relacionad[ao]s?|te puede interesar|lea también|lea más|más leíd[ao]s|correlati|leggi anche|leia também|leia mais|veja também|lees ook|gerelateerd|czytaj także|czytaj też|zobacz także)(?!\p{L})|ähnliche|à lire|читайте также|по теме|相关|推荐|関連/iu,
  ],
  [
    'byline',
    /^(?:by|posted|published|updated|written by|last (?:updated|modified)|author|von|par|por|di|door|autor|auteur|autore|veröffentlicht|aktualisiert|publié|publicado|pubblicato|actualizado)\b|^(?:автор|作者)/i,
  ],
  [
    'ago',
    /\b(?:\d+|an?|yesterday|today) ?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)? ago\b|\bmin(?:ute)?s? read\b|\bvor \d+ |\bil y a \d|\bhace \d|\d \p{L}+ (?:fa|atrás)\b|назад|\d ?(?:分|時間|小时|日)前/iu,
    /ago|read|\d|назад/iu,
  ],
  [
    'date',
    /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\b\d{1,2}\.? (?:de )?(?:januar|februar|märz|mai|juni|juli|oktober|dezember|janv|févr|mars|avril|juin|juil|août|déc|enero|febrero|abril|mayo|junio|julio|agosto|diciembre|genn|febbr|marzo|magg|giugno|luglio|sett|ottob|dicem|jane|fever|março|maio|junho|julho|setem|outub|dezem|stycz|lut|kwie|maj|czer|lip|sier|wrze|paź|list|grud|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)|\d年\d{1,2}月|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}\b/i,
    /\d/,
  ],
  ['price', /[$€£¥₹]\s?\d|\d\s?[$€£¥₹]|\b(?:usd|eur|gbp)\b/i],
  [
    'buy',
    /add to (?:cart|bag|basket|wishlist)|in stock|out of stock|sold out|free shipping|quantity|checkout|buy now/i,
  ],
  ['rating', /\b\d(?:\.\d)? (?:out of|\/) ?5\b|\(\d+\)|\breviews?\b|\bstars?\b/i],
  ['counts', /^[\d.,kKmM]+\+?(?: \w+)?$/],
  [
    'advert',
    /^(?:advertisement|ad|ads|sponsored|promoted|anzeige|werbung|publicidade?|reklama)\b|^(?:publicité|pubblicità|реклама|广告|広告)/i,
  ],
  ['question', /\?$/],
  ['colon', /:$/],
  ['quoted', /^["“'‘«]/],
  ['joined', /\b(?:joined|member since|messages|posts|reputation|location|senior member|moderator|guest)\b/i],
];
const KIND_TAGS = [
  'p',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'td',
  'th',
  'dt',
  'dd',
  'div',
  'section',
  'article',
  'figcaption',
  'blockquote',
  'ul',
];

/** Names of the features that `pushText` adds. Their order is part of the model. */
const TEXT_NAMES: readonly string[] = [
  ...'chars words wordLength linkShare links ends commas sentences digits capitals upper function table code'.split(
    ' ',
  ),
  ...TEXT_TRAITS.map(([name]) => `text:${name}`),
  ...KIND_TAGS.map((tag) => `is:${tag}`),
];

const TAG_INDEX = new Map(KIND_TAGS.map((tag, index) => [tag, index]));
const LINK_SHARE = 3;
const LINKS = 4;
const TABLE = 12;
const CODE = 13;
const FIRST_TAG = TEXT_NAMES.length - KIND_TAGS.length;
const SAMPLE_CHARS_MAX = 2_000;

const LEVELS = 6;
/** Names of all features, in the order of columns of `computeFeatures`. Their order is part of the model. */
export const FEATURE_NAMES: readonly string[] = [
  ...TEXT_NAMES,
  ...WORD_GROUP_NAMES.map((name) => `near:${name}`),
  ...MODEL_FEATURE_TAGS.map((name) => `near:${name}>`),
  ...Array.from({ length: LEVELS }, (_, up) => names(`up${up}:`, 'chars links blocks share alike')).flat(),
  ...names(
    '',
    'depth pathCount pathChars pathLinks pathMean repeatCount repeatChars repeatLinks outerCount outerChars outerLinks',
  ),
  ...names('', 'position charsBefore index fromEnd afterH1 beforeH1 sinceHeading headingChars copies'),
  ...names('', 'inTitle ofTitle inDescription ofDescription toPrice toDate toReact headingLevel'),
  ...HEADING_TRAITS.map(([name]) => `heading:${name}`),
  ...HEADING_TRAITS.map(([name]) => `above:${name}`),
  ...HEADING_TRAITS.map(([name]) => `since:${name}`),
  ...names('', 'likes described opinion'),
  ...['inner', 'outer'].flatMap((unit) => names(`${unit}:`, 'share rank own at images blocks')),
  ...['prev1', 'prev2', 'next1', 'next2'].flatMap((near) => names(`${near}:`, 'chars links same ends')),
  ...names('', 'around3:chars around3:links around10:chars around10:links siblingText'),
  ...BODY_FEATURE_NAMES,
  ...PAGE_FEATURE_NAMES,
];

function names(prefix: string, list: string): string[] {
  return list.split(' ').map((name) => prefix + name);
}

const WIDTH = FEATURE_NAMES.length;
const NEAR_START = TEXT_NAMES.length;
/** CPU cost of the features of one text, in units of `WorkSteps`. */
const SEGMENT_COST = 60;
const NAMED_CHARS_MAX = 500;
const NO_WORDS: readonly string[] = [];

/** Computes a row of features for each text. Texts with the same representative share a row. Deterministic; linear. */
export function* computeFeatures(
  segments: readonly TextSegment[],
  traits: PageTraits,
  judged: Int32Array = mapToSampledSegments(segments),
): WorkSteps<Float32Array[]> {
  const own = segments.filter(({ index }) => judged[index] === index);
  const page = describePage(segments, traits);
  const body = measureBody(segments, page.frames.length);
  const values = new Float32Array(own.length * WIDTH);
  const row = new FeatureRowWriter(values);
  const starts = new Int32Array(segments.length).fill(-1);
  for (const [at, segment] of own.entries()) {
    row.at = at * WIDTH;
    starts[segment.index] = row.at;
    pushAll(row, segment, page, body, startOfSame(segment, page, starts));
    yield SEGMENT_COST;
  }
  return segments.map(({ index }) => {
    const start = starts[judged[index] ?? index] ?? 0;
    return values.subarray(start, start + WIDTH);
  });
}

function pushAll(
  row: FeatureRowWriter,
  segment: TextSegment,
  page: SegmentedPage,
  body: BodyMeasures,
  start: number,
): void {
  pushOwnText(row, segment, start);
  row.addAll(segment.frame.near);
  pushAncestors(row, segment, page);
  pushRepeats(row, segment, page);
  pushPosition(row, segment, page);
  const words = start < 0 ? sampleWords(segment, body) : NO_WORDS;
  pushNames(row, segment, page, words, start);
  pushUnits(row, segment, page);
  pushNeighbours(row, segment, page);
  pushBodyFeatures(row, segment, body);
  if (start < 0) pushCommonWords(row, words, body);
  else row.repeat(start + (row.at % WIDTH), 1);
  pushProseSums(row, segment, body);
  row.addAll(page.features);
}

/**
 * Returns the start of the row of the first segment with the same text; -1 if this one is the first, or if the first
 * has no own row.
 */
function startOfSame({ index }: TextSegment, page: SegmentedPage, starts: Int32Array): number {
  const first = page.firstWith[index] ?? index;
  return first === index ? -1 : (starts[first] ?? -1);
}

function pushOwnText(row: FeatureRowWriter, segment: TextSegment, start: number): void {
  if (start < 0) {
    pushText(row, segment);
    return;
  }
  row.repeat(start, NEAR_START);
  changeSegmentFeatures(row, segment);
}

function pushAncestors(row: FeatureRowWriter, segment: TextSegment, page: SegmentedPage): void {
  let facts = page.frames[segment.frame.number] ?? null;
  for (let level = 0; level < LEVELS; level += 1) {
    if (facts === null) {
      row.add(page.logChars);
      row.add(page.linkShare);
      row.add(page.logBlocks);
      row.add(1);
      row.add(0);
      continue;
    }
    row.add(facts.logChars);
    row.add(facts.linkShare);
    row.add(facts.logBlocks);
    row.add(facts.share);
    row.add(facts.logAlike);
    facts = facts.up;
  }
}

function pushRepeats(row: FeatureRowWriter, segment: TextSegment, page: SegmentedPage): void {
  const { frame } = segment;
  const path = page.paths.get(frame.path) ?? { count: 1, chars: 0, linkChars: 0 };
  row.add(frame.depth);
  row.add(approximateLog2(path.count));
  row.add(approximateLog2(path.chars));
  row.add(roundedShare(path.linkChars, path.chars));
  row.add(approximateLog2(path.chars / path.count));
  const facts = page.frames[frame.number];
  pushGroup(row, facts?.inner?.siblings);
  pushGroup(row, facts?.outer?.siblings);
}

function pushGroup(row: FeatureRowWriter, group: SiblingGroup | null | undefined): void {
  const isNone = group === null || group === undefined;
  row.add(isNone ? 0 : approximateLog2(group.count));
  row.add(isNone ? 0 : approximateLog2(group.chars / group.count));
  row.add(isNone ? 0 : roundedShare(group.linkChars, group.chars));
}

function pushPosition(row: FeatureRowWriter, segment: TextSegment, page: SegmentedPage): void {
  const { index } = segment;
  const h1 = page.h1;
  const heading = page.headingBefore[index] ?? -1;
  const before = page.charsBefore[index] ?? 0;
  row.add(index / Math.max(1, page.blocks));
  row.add(roundedShare(before, page.chars));
  row.add(approximateLog2(index));
  row.add(approximateLog2(page.blocks - index));
  row.add(h1 < 0 ? -1 : approximateLog2(Math.max(0, index - h1)));
  row.add(h1 < 0 ? -1 : approximateLog2(Math.max(0, h1 - index)));
  row.add(heading < 0 ? -1 : approximateLog2(index - heading));
  row.add(heading < 0 ? 0 : approximateLog2(before - (page.charsBefore[heading] ?? 0)));
  row.add(approximateLog2(page.copies[page.firstWith[index] ?? index] ?? 1));
}

function pushNames(
  row: FeatureRowWriter,
  segment: TextSegment,
  page: SegmentedPage,
  words: readonly string[],
  start: number,
): void {
  const { index } = segment;
  // For a repeated text, these features are copied, because its words are those of the first text.
  if (start < 0) pushTitleWords(row, segment, page, words);
  else row.repeat(start + (row.at % WIDTH), 4);
  for (const distances of [page.toPrice, page.toDate, page.toReact]) row.add(distances[index] ?? TEXT_DISTANCE_MAX);
  const before = page.headingBefore[index] ?? -1;
  const heading = page.segments[before];
  row.add(heading === undefined ? 0 : Number(heading.frame.element.localName.charAt(1)));
  row.addBits(heading === undefined ? 0 : (page.says[before] ?? 0), HEADING_TRAITS.length);
  row.addBits(page.outline[index] ?? 0, HEADING_TRAITS.length);
  for (const since of page.since) row.add(since[index] ?? -1);
  row.add(approximateLog2(page.likes[page.firstLike[index] ?? index] ?? 1));
  if (start < 0) {
    const [content, opinion] = phraseShares(page.traits.described, segment.text);
    row.add(content);
    row.add(opinion);
  } else row.repeat(start + (row.at % WIDTH), 2);
}

function pushTitleWords(
  row: FeatureRowWriter,
  { text }: TextSegment,
  page: SegmentedPage,
  sample: readonly string[],
): void {
  const { titleWords, descriptionWords } = page.traits;
  const isNamed = titleWords.size > 0 || descriptionWords.size > 0;
  const isLong = isNamed && text.length > NAMED_CHARS_MAX;
  const words = isLong ? lowerCaseWords(text.slice(0, NAMED_CHARS_MAX)) : isNamed ? sample : NO_WORDS;
  for (const known of [titleWords, descriptionWords]) {
    let found: Set<string> | null = null;
    for (const word of words) if (known.has(word)) (found ??= new Set()).add(word);
    const size = found?.size ?? 0;
    row.add(roundedShare(size, words.length));
    row.add(roundedShare(size, known.size));
  }
}

function pushUnits(row: FeatureRowWriter, segment: TextSegment, page: SegmentedPage): void {
  const facts = page.frames[segment.frame.number];
  pushUnit(row, segment, page, facts?.inner ?? null);
  pushUnit(row, segment, page, facts?.outer ?? null);
}

function pushUnit(
  row: FeatureRowWriter,
  segment: TextSegment,
  page: SegmentedPage,
  unit: SegmentAncestor | null,
): void {
  if (unit === null || unit.siblings === null) {
    for (const none of [0, -1, 1, -1, -1, 0]) row.add(none);
    return;
  }
  const first = page.frames[unit.number]?.first ?? segment.index;
  row.add(roundedShare(unit.siblings.chars, page.chars));
  row.add(page.ranks.get(unit.siblings) ?? 20);
  row.add(roundedShare(segment.text.length, unit.chars));
  row.add(Math.min(20, segment.index - first));
  row.add(Math.min(5, unit.images));
  row.add(approximateLog2(unit.blocks));
}

function pushNeighbours(row: FeatureRowWriter, own: TextSegment, page: SegmentedPage): void {
  const { index } = own;
  for (const offset of [-1, -2, 1, 2]) {
    const near = page.segments[index + offset];
    row.add(near === undefined ? -1 : approximateLog2(near.text.length));
    row.add(near === undefined ? 0 : roundedShare(near.linkChars, near.text.length));
    row.add(booleanToNumber(near !== undefined && near.frame.path === own.frame.path));
    row.add(near === undefined ? 0 : (page.ends[index + offset] ?? 0));
  }
  for (const reach of [3, 10]) {
    const from = Math.max(0, index - reach);
    const to = Math.min(page.blocks, index + reach + 1);
    const chars = (page.charsBefore[to] ?? 0) - (page.charsBefore[from] ?? 0);
    row.add(approximateLog2(chars));
    row.add(roundedShare((page.linkCharsBefore[to] ?? 0) - (page.linkCharsBefore[from] ?? 0), chars));
  }
  const { parent } = own.frame;
  row.add(parent === null ? 0 : approximateLog2((parent.chars - parent.linkChars) / Math.max(1, parent.blocks)));
}

function pushText(row: FeatureRowWriter, segment: TextSegment): void {
  const { text } = segment;
  const sample = text.length > SAMPLE_CHARS_MAX ? text.slice(0, SAMPLE_CHARS_MAX) : text;
  const { words, commas, sentences, digits, capitals, functionWords, isUpper } = countCharacters(text, sample);
  row.add(approximateLog2(text.length));
  row.add(approximateLog2(words));
  row.add(text.length / Math.max(1, words));
  row.add(0);
  row.add(0);
  row.add(booleanToNumber(SENTENCE_END.test(text)));
  row.add(approximateLog2(commas));
  row.add(approximateLog2(sentences));
  row.add(roundedShare(digits, sample.length));
  row.add(roundedShare(capitals, words));
  row.add(booleanToNumber(isUpper));
  row.add(roundedShare(functionWords, words));
  row.add(0);
  row.add(0);
  for (const [, pattern, needs] of TEXT_TRAITS) {
    row.add(booleanToNumber((needs === undefined || needs.test(sample)) && pattern.test(sample)));
  }
  for (let tag = 0; tag < KIND_TAGS.length; tag += 1) row.add(0);
  changeSegmentFeatures(row, segment);
}

/** Overwrites the features that do not depend on the text, in the text features that were written or copied last. */
function changeSegmentFeatures(row: FeatureRowWriter, { text, frame, linkChars, links, kind }: TextSegment): void {
  const start = TEXT_NAMES.length;
  row.change(start - LINK_SHARE, roundedShare(linkChars, text.length));
  row.change(start - LINKS, approximateLog2(links));
  row.change(start - TABLE, booleanToNumber(kind === 'table'));
  row.change(start - CODE, booleanToNumber(kind === 'code'));
  for (let tag = 0; tag < KIND_TAGS.length; tag += 1) row.change(start - FIRST_TAG - tag, 0);
  const index = TAG_INDEX.get(frame.element.localName);
  if (index !== undefined) row.change(start - FIRST_TAG - index, 1);
}
