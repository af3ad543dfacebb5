/**
 * All scripts that run in pages. `npm run page-scripts` bundles each of them and derives its type; `script-types.ts` has
 * only the objects that they take and return.
 */
export { takeAnnouncements } from '#browsing/in-page/page/announced.ts';
export {
  countChanges,
  isTimerPending,
  stopTimerWatch,
  waitForChangeAfterLoad,
  waitForChange,
  startChangeWatch,
  waitForNextTask,
  waitForQuiet,
  waitForTimers,
  watchTimers,
} from '#browsing/in-page/page/changes-seen.ts';
export {
  readActFacts,
  readSelectFacts,
  readActFactsAt,
  readFocusedActFacts,
} from '#browsing/in-page/asking/act-facts.ts';
export { hasStyleChanged, compareElementMarks, recordElementStyle } from '#browsing/in-page/page/marks.ts';
export { classifyClick } from '#browsing/in-page/elements/click-kind.ts';
export {
  readEditableTexts,
  emptySecretFields,
  guardSecretEditables,
  hasKeptWholeSecret,
} from '#browsing/in-page/secrets/hold-secret.ts';
export {
  armClickGuard,
  armOuterClickGuard,
  armPressGuard,
  readClickGuard,
} from '#browsing/in-page/elements/click-guard.ts';
export {
  describeField,
  describeFieldState,
  focusField,
  readFocusKind,
  setFieldValue,
  tickState,
  takeInvalidFields,
  recordInvalidFields,
  chooseSelectOption,
  findFocusedIframe,
  listSelectOptions,
  listUnsavedFields,
} from '#browsing/in-page/fields/field.ts';
export { prepareLabels } from '#browsing/in-page/fields/prepare-labels.ts';
export { chooseOptions, readDatalist } from '#browsing/in-page/fields/options.ts';
export { chosenBehind, widgetOf } from '#browsing/in-page/fields/select-behind.ts';
export {
  getParentOfTextNode,
  findElements,
  areInDocument,
  isInDocument,
  isHoveredOrFocused,
  checkElementVisibility,
  findVisibleMatch,
  findVisibleText,
  readVisibleText,
  listAncestors,
} from '#browsing/in-page/elements/look-for.ts';
export { findElementAtPoint, isFrameHitAt, findDocumentRoot } from '#browsing/in-page/elements/frame-hits.ts';
export { findDialogInFront } from '#browsing/in-page/elements/behind-dialog.ts';
export { serializeHtml } from '#browsing/in-page/view/html.ts';
export { forbidSharedWorkers, guardDocument, guardWorker } from '#browsing/in-page/page/guard.ts';
export { drawPdf } from '#browsing/in-page/view/draw-pdf.ts';
export { drawPicture } from '#browsing/in-page/view/draw-picture.ts';
export { countChangedPixels } from '#browsing/in-page/view/compare-pictures.ts';
export { measureBoxes, drawRefLabels } from '#browsing/in-page/view/ref-labels.ts';
export { documentSize } from '#browsing/in-page/elements/document-size.ts';
export {
  readDocumentPart,
  findPartsAround,
  findPartsByText,
  getLongText,
} from '#browsing/in-page/elements/named-parts.ts';
export { readLongIdentity } from '#browsing/in-page/elements/long-texts.ts';
export { recordScreenshotDocument, findScreenshotPoint } from '#browsing/in-page/view/noted-picture.ts';
export {
  addStorageFrame,
  restoreFrameStorage,
  readFrameStorage,
  removeStorageFrames,
  scrollDocumentTo,
} from '#browsing/in-page/page/storage.ts';
export { putFile, addFilePiece } from '#browsing/in-page/fields/put-file.ts';
export {
  findCoveringElements,
  describeElement,
  hasLeftPoint,
  isHitAt,
  missesDrop,
  waitForClickPoint,
} from '#browsing/in-page/elements/ready-point.ts';
export { isCanvasOrPlugin, comparePageState } from '#browsing/in-page/page/page-state.ts';
export { closeDownloadStream, openDownloadStream, readDownloadChunk } from '#browsing/in-page/page/saved.ts';
export { scrollNearestPane } from '#browsing/in-page/view/scroll-pane.ts';
export { scrollListToOption } from '#browsing/in-page/elements/search-list.ts';
export {
  readNameAndReferrer,
  readSelectedText,
  measureText,
  waitForFontsAndImages,
  viewport,
  detectWall,
} from '#browsing/in-page/view/document-state.ts';
export { collectDomFacts } from '#browsing/in-page/hints/telling-elements.ts';
export { areReplacedBy, findReplacementElement } from '#browsing/in-page/page/replaced.ts';
export { toJson } from '#browsing/in-page/page/to-json.ts';
export {
  readAllText,
  readControlTexts,
  coverTextRanges,
  hideFieldValues,
} from '#browsing/in-page/secrets/cover-text.ts';
export { typeSecret } from '#browsing/in-page/secrets/type-secret.ts';
export { findVirtualList } from '#browsing/in-page/view/undrawn-list.ts';
export { serializeVisibleHtml } from '#browsing/in-page/view/visible-html.ts';
