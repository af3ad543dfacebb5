export const XML_DEPTH_MAX = 200;
/** Elements and texts of a parsed XML document: about 40 MB. */
export const XML_NODES_MAX = 400_000;
