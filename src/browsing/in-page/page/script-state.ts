declare global {
  /** Values that page scripts store in a document for later calls. Each script declares its own. */
  interface ScriptState {}

  interface Window {
    [SCRIPT_STATE]?: ScriptState;
  }
}

/** A symbol, because an element with an id is a member of the window that has this name (HTML §7.2.2.3). */
const SCRIPT_STATE: unique symbol = Symbol.for('periscope');

export function scriptState(): ScriptState {
  return (self[SCRIPT_STATE] ??= {});
}
