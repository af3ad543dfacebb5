/** `expressions`: a long one is identified by its beginning. */
type Unproven = { file: string; why: string; expressions: readonly (RegExp | string)[] };

/**
 * Regular expressions that are not proven to take time in proportion to the text, each with the reason why no text makes them slow.
 */
export const UNPROVEN: readonly Unproven[] = [
  {
    file: 'src/browsing/locate/named.ts',
    why: 'A target has at most `TARGET_CHARS_MAX` characters, with single spaces.',
    expressions: [
      String.raw`^(.*(?:[")]|/i?|nth=\d{1,9})|drop zone|[a-z]+)\s+in\s+(?:the\s+)?(row|`,
      String.raw`^(.*(?:[")]|/i?|nth=\d{1,9})|drop zone|[a-z]+)\s+in\s+(?:the\s+)?(?:([a-z]+)`,
      String.raw`^(drop zone|[a-z]+)\s+"(.*)"`,
      /^text=\s*(.+?)(?:\s+nth=(\d{1,9}))?$/isu,
      String.raw`^(text=.+?)\s+in\s+`,
    ],
  },
  {
    file: 'src/browsing/act/evaluate.ts',
    why: 'It looks 200 characters ahead at most, from each place that names a cookie.',
    expressions: [
      /(?<![\w$])cookie(?:Store)?(?![\w$])\s*(?:\}|,|:)[^;]{0,200}=\s*(?:document|window|globalThis|self)(?![\w$])/u,
    ],
  },
  {
    file: 'src/browsing/in-page/hints/element-hints.ts',
    why: 'It runs in the process of the page, which can compute for as long by itself.',
    expressions: [/([\w-]{2,40})(?:\.\w+)?(?:\?.*)?$/u, String.raw`url\("?(?!data:)`],
  },
  {
    file: 'src/core/secrets/secret-addresses.ts',
    why: 'A tag is read to the next tag of its kind, and a value to its quote, which begins no other value.',
    expressions: [/<(?:input|meta)\b(?:[^<>]|<(?!(?:input|meta)\b)){0,2000}>/gi, String.raw`(\\?["']?)([\w.-]{2,60})`],
  },
  {
    file: 'src/core/text/plain.ts',
    why: 'Emoji are tried as four parts at most, and fences at one place of a line.',
    expressions: [String.raw`^\p{RGI_Emoji_ZWJ_Sequence}(?=`, /[ \t]*(`{3,}(?=[^`]*$)|~{3,})/y],
  },
  {
    file: 'src/core/text/visible-text.ts',
    why: 'Each mark begins and ends with another character, so a line is divided into marks in one way.',
    expressions: [/^\s*(?:>\s*|[-*+]\s+|\d{1,9}[.)]\s+|#{1,6}(?:\s+|$)|\[[ xX]\]\s+)+/],
  },
  {
    file: 'src/core/words/words.ts',
    why: 'A word has at most `INDEXED_WORD_CHARS_MAX` characters.',
    expressions: [
      '^(?:[^aeiouy]|(?<=^|[aeiou])y)*(?:(?:[aeiou]|(?<=[^aeiou])y)+(?:[^aeiouy]|(?<=^|[aeiou])y)+)/',
      '^(?:[^aeiouy]|(?<=^|[aeiou])y)*(?:(?:[aeiou]|(?<=[^aeiou])y)+(?:[^aeiouy]|(?<=^|[aeiou])y)+){2}',
      '^(?:[^aeiouy]|(?<=^|[aeiou])y)*(?:[aeiou]',
    ],
  },
  {
    file: 'src/extract/html-in-files.ts',
    why: 'It reads `TITLE_SOURCE_CHARS_MAX` characters.',
    expressions: [/!?\[((?:[^\\[\]]|\\.){0,500})\]\([^()\s]{0,2100}\)/g],
  },
  {
    file: 'src/extract/html/html-extractor.ts',
    why: 'A tag is read to the next one, and a script is taken to its end.',
    expressions: [/<script\b([^<>]*)>([^]*?)(?:<\/script|$)/gi],
  },
  {
    file: 'src/extract/html/main/model/features.ts',
    why: 'Digits are repeated behind the edge of a word alone, and letters behind a digit and a space.',
    expressions: [String.raw`\b(?:\d+|an?|yesterday|today) ?`],
  },
  {
    file: 'src/extract/html/markdown/inline-elements.ts',
    why: 'Words of controls have `TOGGLE_CHARS_MAX` characters, names of pictures `ARROW_FILE_CHARS_MAX`, and emoji are short.',
    expressions: [
      String.raw`^[[(]?\s*(?:(?:show|hide|`,
      String.raw`(?:^|[/_-])(?:prev(?:ious)?|next|`,
      /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}\ufe0f?)$/v,
    ],
  },
  {
    file: 'src/extract/html/visible/hidden.ts',
    why: 'What stands before a value ends at a semicolon, with which the expression begins, and what stands in brackets at a bracket.',
    expressions: [
      String.raw`;transform:[^;]*`,
      String.raw`;(?:color|-webkit-text-fill-color):(?:rgb|hsl)a?`,
      String.raw`;(?:color|-webkit-text-fill-color):[a-z]+`,
      String.raw`;filter:[^;]*opacity`,
    ],
  },
  {
    file: 'src/extract/lines/sentences.ts',
    why: 'None of the repeated classes has the stop that it begins with.',
    expressions: [String.raw`[.!?…]["'”’»)\]]*(?:[*_~]{1,3}`],
  },
  {
    file: 'src/extract/office/word/pages.ts',
    why: 'It repeats nothing.',
    expressions: [String.raw`<w:(rPr|pPr|`],
  },
  {
    file: 'src/extract/pdf/blocks.ts',
    why: 'Links have 2,100 characters at most, and texts 300.',
    expressions: [/\]\(([^()\s]{1,2100})\)( +)\[(?=[^[\]]{1,300}\]\(\1\))/g],
  },
  {
    file: 'src/extract/text-extractor.ts',
    why: 'It reads `HEADING_CHARS_MAX` characters.',
    expressions: [/[*_`]+|!?\[([^\]]*)\]\([^)]*\)/g],
  },
  {
    file: 'src/library/compare/noise.ts',
    why: 'It looks 30 characters ahead at most, from each word for "last". Proving that takes minutes and gigabytes.',
    expressions: [String.raw`\b(?:last|zuletzt|`],
  },
  {
    file: 'src/library/compare/noise.ts',
    why: 'Each repeats one class of characters at a time, from a place that the repetition cannot go over.',
    expressions: [
      String.raw`(?<![\p{L}\p{N}])(?:(?:jan(?:uary`,
      String.raw`^(?:(?:this|the) )?(?:page|site|`,
      String.raw`\d{4}-\d{2}|\d{1,2}[./]`,
    ],
  },
  {
    file: 'src/library/discovery/formats.ts',
    why: 'It reads `INVENTORY_HEAD_BYTES_MAX` bytes.',
    expressions: [/^# Sphinx inventory version 2\n# Project: [^\n]*\n# Version: [^\n]*\n# [^\n]*zlib[^\n]*\n/],
  },
  {
    file: 'src/net/types/challenge.ts',
    why: 'It looks 500 characters ahead at most, or to the next quote.',
    expressions: [String.raw`_Incapsula_Resource\?`, String.raw`class=["'][^"']*\b(?:g-recaptcha`],
  },
  {
    file: 'src/core/text/links.ts',
    why: 'No part of a link can hold what begins another, so that none is read twice.',
    expressions: [String.raw`(?<![!\\])\[((?:[^[\]\\]`],
  },
  {
    file: 'src/browsing/session/steps/step-lines.ts',
    why: 'A step has at most `STEP_LINE_CHARS_MAX` characters, with single spaces.',
    expressions: [String.raw`^(?:(.+?)\s)?(up|down|left|right)`],
  },
  {
    file: 'src/browsing/session/steps/step-targets.ts',
    why: 'A step has at most `STEP_LINE_CHARS_MAX` characters, with single spaces.',
    expressions: [String.raw`^(?:the\s+)?(drop zone|[a-z]+)\s+(.+?)`],
  },
];

/** Calls of `RegExp` with arguments that are known only at run time. `code` is the source on one line. */
export const COMPUTED: readonly { file: string; why: string; code: string }[] = [
  {
    file: 'src/browsing/in-page/elements/long-texts.ts',
    why: 'Words with white space between them.',
    code: "new RegExp(escaped.replaceAll(/\\s+/gu, String.raw`\\s+`), 'i')",
  },
  {
    file: 'src/browsing/in-page/elements/ready-point.ts',
    why: 'Words with white space between them.',
    code: String.raw`new RegExp(parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')).join('\\s+'), 'iu')`,
  },
  {
    file: 'src/browsing/in-page/secrets/hold-secret.ts',
    why: 'One class of characters.',
    code: "new RegExp(`[\\\\s\\\\p{Cc}\\\\p{Default_Ignorable_Code_Point}${signs.replace('-', '\\\\-')}]`, 'gu')",
  },
  {
    file: 'src/core/secrets/secret-addresses.ts',
    why: 'One class of characters.',
    code: 'new RegExp(`(${separator.source})`)',
  },
  {
    file: 'src/core/secrets/secret-addresses.ts',
    why: 'It reads a tag, which has 2,000 characters at most.',
    code: "new RegExp(`\\\\b${wanted}\\\\s*=\\\\s*(?:\"([^\"]{0,100})|'([^']{0,100})|([\\\\w.:-]{1,100}))`, 'i')",
  },
  {
    file: 'src/core/text/plain.ts',
    why: 'One class of characters.',
    code: "new RegExp( `[[${'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan' .split(' ') .map((script) => `\\\\p{scx=${script}}`) .join('')}]&&[\\\\p{L}\\\\p{M}]]`, 'v', )",
  },
  {
    file: 'src/extract/html/scan-source.ts',
    why: 'It repeats nothing.',
    code: "new RegExp(`</${name}(?=[\\\\s/>])`, 'gi')",
  },
  {
    file: 'src/extract/office/worksheet.ts',
    why: 'It begins with a bracket, which neither the prefix nor white space has.',
    code: "new RegExp(`</(?:[\\\\w.-]+:)?${name}\\\\s*>`, 'g')",
  },
  {
    file: 'src/mcp/accept.ts',
    why: 'Two numbers of ours.',
    code: 'new RegExp(`"code":(?:${ProtocolErrorCode.InvalidParams}|${ProtocolErrorCode.InternalError})`)',
  },
  {
    file: 'src/net/types/challenge.ts',
    why: 'It repeats nothing.',
    code: "new RegExp(`</${name}`, 'gi')",
  },
  {
    file: 'src/ranking/phrasings.ts',
    why: 'Beginnings of the words of a question, none of which is repeated.',
    code: "new RegExp(`(?:^|[^a-z0-9])(?:${[...new Set(beginnings)].join('|')})`, 'i')",
  },
  {
    file: 'src/reading/find/matcher.ts',
    why: 'One class of characters.',
    code: "new RegExp(`[${LINE_MARKS.prose}${LINE_MARKS.code}]`, 'g')",
  },
  {
    file: 'src/reading/find/matcher.ts',
    why: 'One class of characters.',
    code: "new RegExp(`[${LINE_MARKS.proseUnspaced}${LINE_MARKS.codeUnspaced}]`, 'g')",
  },
];
