import { countMatches, flag, log, share } from './row.ts';
import type { Row } from './row.ts';
import type { Segment } from './segments.ts';

/** What a segment's text looks like, independent of its meaning. */
const TEXT_TRAITS: readonly (readonly [name: string, pattern: RegExp])[] = [
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
    /\b(?:\d+|an?|yesterday|today) ?(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)? ago\b|\bmin(?:ute)?s? read\b|\bvor \d+ |\bil y a \d|\bhace \d|\d+ \p{L}+ (?:fa|atrás)\b|назад|\d+ ?(?:分|時間|小时|日)前/iu,
  ],
  [
    'date',
    /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|\b\d{1,2}\.? (?:de )?(?:januar|februar|märz|mai|juni|juli|oktober|dezember|janv|févr|mars|avril|juin|juil|août|déc|enero|febrero|abril|mayo|junio|julio|agosto|diciembre|genn|febbr|marzo|magg|giugno|luglio|sett|ottob|dicem|jane|fever|março|maio|junho|julho|setem|outub|dezem|stycz|lut|kwie|maj|czer|lip|sier|wrze|paź|list|grud|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)|\d年\d{1,2}月|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}\b/i,
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
export const SENTENCE_END = /[.!?…。！？:]["”’»)」]?$/;
const COMMAS = /[,;，、]/g;
const SENTENCES = /[.!?。！？](?:\s|$)/g;
const DIGITS = /\d/g;
const CAPITALS = /(?:^|\s)\p{Lu}/gu;
const UPPER = /^[^\p{Ll}]*\p{Lu}{2}[^\p{Ll}]*$/u;
const FUNCTION_WORDS =
  /(?:^|\s)(?:the|a|an|of|to|and|in|is|are|was|for|that|it|with|you|i|this|on|be|as|have|not|we|or)(?=\s|$)/gi;
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

/** Names of the numbers that `pushText` adds, in order; part of the model. */
export const TEXT_NAMES: readonly string[] = [
  ...'chars words wordLength linkShare links ends commas sentences digits capitals upper function table code'.split(
    ' ',
  ),
  ...TEXT_TRAITS.map(([name]) => `text:${name}`),
  ...KIND_TAGS.map((tag) => `is:${tag}`),
];

const TAG_PLACES = new Map(KIND_TAGS.map((tag, place) => [tag, place]));
const LINK_SHARE = 3;
const LINKS = 4;
const TABLE = 12;
const CODE = 13;
const FIRST_TAG = TEXT_NAMES.length - KIND_TAGS.length;
const SAMPLE_CHARS_MAX = 2_000;

/** A segment on its own: its text and its tag. */
export function pushText(row: Row, segment: Segment): void {
  const { text } = segment;
  const words = countMatches(text, /\S+/g);
  const sample = text.length > SAMPLE_CHARS_MAX ? text.slice(0, SAMPLE_CHARS_MAX) : text;
  row.add(log(text.length));
  row.add(log(words));
  row.add(text.length / Math.max(1, words));
  row.add(0);
  row.add(0);
  row.add(flag(SENTENCE_END.test(text)));
  row.add(log(countMatches(sample, COMMAS)));
  row.add(log(countMatches(sample, SENTENCES)));
  row.add(share(countMatches(sample, DIGITS), sample.length));
  row.add(share(countMatches(sample, CAPITALS), words));
  row.add(flag(UPPER.test(sample)));
  row.add(share(countMatches(sample, FUNCTION_WORDS), words));
  row.add(0);
  row.add(0);
  for (const [, pattern] of TEXT_TRAITS) row.add(flag(pattern.test(sample)));
  for (let tag = 0; tag < KIND_TAGS.length; tag += 1) row.add(0);
  changeSegmentFeatures(row, segment);
}

/** Changes the numbers of the last `pushText` that do not depend on the text. */
export function changeSegmentFeatures(row: Row, { text, frame, linkChars, links, kind }: Segment): void {
  const start = TEXT_NAMES.length;
  row.change(start - LINK_SHARE, share(linkChars, text.length));
  row.change(start - LINKS, log(links));
  row.change(start - TABLE, flag(kind === 'table'));
  row.change(start - CODE, flag(kind === 'code'));
  for (let tag = 0; tag < KIND_TAGS.length; tag += 1) row.change(start - FIRST_TAG - tag, 0);
  const place = TAG_PLACES.get(frame.element.localName);
  if (place !== undefined) row.change(start - FIRST_TAG - place, 1);
}
