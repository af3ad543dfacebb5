/** Element names by what they mean for reading. The preparation and the Markdown writer share them. */

export const VOID_TAGS = set('area base br col embed hr img input link meta param source track wbr keygen frame');

/** Their content is not text of the page, or is never shown to a reader. */
export const DROPPED_TAGS = set(
  'script style svg template iframe object applet canvas audio video map select datalist textarea frameset noembed noframes progress meter portal fencedframe',
);

export const BLOCK_TAGS = set(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul x-tex-block',
);

/** Elements that cannot stand inside inline code. */
export const BLOCKS_OF_CODE = set('pre p ul ol table');

export const HEADING_TAGS = set('h1 h2 h3 h4 h5 h6');

function set(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
