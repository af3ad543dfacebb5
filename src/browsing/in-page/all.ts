/** All scripts that run in pages, named as in `scripts.ts`. `npm run page-scripts` bundles each of them. */
export { announced } from '#browsing/in-page/page/announced.ts';
export {
  changedOnceLoaded,
  changedSoon,
  markChanges,
  nextTask,
  quietSoon,
} from '#browsing/in-page/page/changes-seen.ts';
export { actFacts, choiceFacts, factsAt, focusedFacts } from '#browsing/in-page/asking/act-facts.ts';
export { hasNewLook, marksSince, noteLook } from '#browsing/in-page/page/marks.ts';
export { clickKind } from '#browsing/in-page/elements/click-kind.ts';
export {
  editableTexts,
  emptySecrets,
  guardEditables,
  keepsSecretWhole,
} from '#browsing/in-page/secrets/hold-secret.ts';
export { armGuard, armGuardAround, guardState } from '#browsing/in-page/elements/click-guard.ts';
export { choose, field, focusField, focusKind, listedFor, setExact } from '#browsing/in-page/fields/field.ts';
export { elementOfText, findElements, isInDocument, isUnderHand } from '#browsing/in-page/elements/look-for.ts';
export { elementAt, frameHit, wholeDocument } from '#browsing/in-page/elements/frame-hits.ts';
export { behindDialog } from '#browsing/in-page/elements/behind-dialog.ts';
export { html } from '#browsing/in-page/view/html.ts';
export { takeInvalid, watchInvalid } from '#browsing/in-page/fields/field.ts';
export { chooseInList, focusedFrame, listChoices } from '#browsing/in-page/fields/field.ts';
export { lookAtElement, lookForSelector, lookForText, shownWords } from '#browsing/in-page/elements/look-for.ts';
export { forbidSharedWorkers, guardDocument, guardWorker } from '#browsing/in-page/page/guard.ts';
export { drawPdf } from '#browsing/in-page/view/draw-pdf.ts';
export { drawPicture } from '#browsing/in-page/view/draw-picture.ts';
export { boxesOf, draw } from '#browsing/in-page/view/ref-labels.ts';
export { countElements, partOf } from '#browsing/in-page/elements/named-parts.ts';
export { partsAround, partsNamed } from '#browsing/in-page/elements/named-parts.ts';
export { notePicture, underPoint } from '#browsing/in-page/view/noted-picture.ts';
export { addFrame, plantFrame, readFrame, removeFrames, scrollDocumentTo } from '#browsing/in-page/page/storage.ts';
export { putFile, takePiece } from '#browsing/in-page/fields/put-file.ts';
export { coversOf, describeElement, isAwayFrom, isHitAt, readyPoint } from '#browsing/in-page/elements/ready-point.ts';
export { drawsItself, pageState } from '#browsing/in-page/page/page-state.ts';
export { endSaved, openSaved, readSaved } from '#browsing/in-page/page/saved.ts';
export { scroll } from '#browsing/in-page/elements/scroll-pane.ts';
export { searchList } from '#browsing/in-page/elements/search-list.ts';
export { ancestorsOf } from '#browsing/in-page/elements/look-for.ts';
export { handedOver, selectedText } from '#browsing/in-page/view/document-state.ts';
export { timersOver, watchTimers } from '#browsing/in-page/page/changes-seen.ts';
export { tellingElements } from '#browsing/in-page/hints/telling-elements.ts';
export { replacedBy } from '#browsing/in-page/page/replaced.ts';
export { textSize } from '#browsing/in-page/view/document-state.ts';
export { toJson } from '#browsing/in-page/page/to-json.ts';
export { drawn, viewport } from '#browsing/in-page/view/document-state.ts';
export { allText, controlText, coverText, hideTyped } from '#browsing/in-page/secrets/cover-text.ts';
export { typeSecret } from '#browsing/in-page/secrets/type-secret.ts';
export { typedFields } from '#browsing/in-page/fields/field.ts';
export { undrawnList } from '#browsing/in-page/view/undrawn-list.ts';
export { visibleHtml } from '#browsing/in-page/view/visible-html.ts';
export { wallHere } from '#browsing/in-page/view/document-state.ts';
