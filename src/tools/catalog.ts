import type { Tool } from './define-tool.ts';
import { find } from './reader/find.ts';
import { openResult } from './reader/open-result.ts';
import { openUrl } from './reader/open-url.ts';
import { scroll } from './reader/scroll.ts';
import { search } from './reader/search.ts';
import { webBatchOpen } from './web/web-batch-open.ts';
import { webExtract } from './web/web-extract.ts';
import { webOpen } from './web/web-open.ts';

/** Every tool, in the order clients see them. */
export const CATALOG: readonly Tool[] = [search, openResult, openUrl, scroll, find, webOpen, webBatchOpen, webExtract];
