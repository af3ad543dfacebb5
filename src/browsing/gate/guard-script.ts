import { SOURCES } from '#browsing/in-page/sources.ts';

/**
 * Run before any other script of a document or worker. They remove features whose traffic the request gate cannot see.
 */
export const DOCUMENT_GUARD = `(${SOURCES.guardDocument})();`;
export const NO_SHARED_WORKER = `(${SOURCES.forbidSharedWorkers})();`;
export const WORKER_GUARD = `(${SOURCES.guardWorker})();`;
