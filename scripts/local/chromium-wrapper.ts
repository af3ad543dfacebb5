import { DISABLED_FEATURES, PREFERENCES } from './chromium-flags.ts';
import type { DevtoolsGuard } from './devtools-guard.ts';
import { PIPES_ROOT } from './devtools-guard.ts';
import { FROM_BROWSER, HAS_SPOKEN, TO_BROWSER } from './devtools-pipe.ts';

/** Added to the niceness of `npm start`: if both need a core, the browser gets a quarter of it (setpriority(2)). */
const BROWSER_NICENESS = 5;

/** The browser that a wrapper starts. */
export type WrappedBrowser = {
  path: string;
  flags: readonly string[];
  /** Needed because miniflare passes no environment to the browser. */
  environment: Readonly<Record<string, string>>;
  /** The file that records that this browser works. It is deleted if the browser exits before it listens. */
  verdict: string;
  /** The guard of the browser's debugging pipe; without it, the browser listens on a port. */
  guard?: DevtoolsGuard | undefined;
  /** Added to the niceness of the caller. */
  niceness?: number | undefined;
};

/**
 * The shell script in the place where miniflare expects its own Chrome. It becomes the browser by `exec`, so that
 * signals reach the browser. Files that the browser writes outside its profile go into a folder that is deleted with
 * it.
 *
 * Miniflare gives the browser its own process group, which outlives a killed `npm start`. The watcher then ends the
 * browser. It has its own session, so that it survives a signal to the browser's group.
 *
 * Miniflare reads the browser's output only until it contains the address. A browser without windows writes the console
 * messages of pages to its output: without a reader, it blocks forever after some hundred kilobytes. With a guard,
 * which knows the address, no output is needed.
 *
 * A page that keeps every core busy must not take them from the Worker. So the browser runs at a lower priority, and
 * may not raise it, as Chromium does under root.
 */
export function wrapperScript({
  path,
  flags,
  environment,
  verdict,
  guard,
  niceness = BROWSER_NICENESS,
}: WrappedBrowser): string {
  return `#!/bin/sh
# Written by scripts/local/chromium.ts. Starts the browser behind the local Browser Rendering binding.
profile=
for argument; do
  shift
  case $argument in
    --disable-features=*) argument="$argument,${DISABLED_FEATURES.join(',')}" ;;
${guard === undefined ? '' : '    --remote-debugging-port=*) argument=--remote-debugging-pipe ;;\n'}    --user-data-dir=*/browser-rendering/profile-*) profile=\${argument#*=} ;;
  esac
  set -- "$@" "$argument"
done

set -- "$@" ${flags.map(quote).join(' ')}

# miniflare starts it with an empty environment.
export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
scratch=$(mktemp -d ${PIPES_ROOT}/periscope-chromium-XXXXXX) || exit 1
export HOME="$scratch" TMPDIR="$scratch" XDG_CONFIG_HOME="$scratch" XDG_DATA_HOME="$scratch"
${Object.entries(environment)
  .map(([name, value]) => `export ${name}=${quote(value)}\n`)
  .join('')}
if [ -n "$profile" ]; then
  mkdir -p "$profile/Default"
  printf %s ${quote(PREFERENCES)} >"$profile/Default/Preferences"
fi

watch='
while kill -0 "$1" && kill -0 "$2"; do
  [ -e "$4/DevToolsActivePort" ] || [ -e "$3/${HAS_SPOKEN}" ] && listens=yes
  sleep 1
done
[ -z "$4" ] || [ -n "$listens" ] || ! kill -0 "$2" || rm -f -- "$5"
kill -9 -- "-$1"
kill -9 "$1"
sleep 1
rm -rf -- "$3" \${4:+"$4"}
'
command -v setsid >/dev/null && own_session=setsid || own_session=
$own_session sh -c "$watch" watch $$ $PPID "$scratch" "$profile" ${quote(verdict)} </dev/null >/dev/null 2>&1 &

# Where the system shares out the cores by session (sched(7), autogroup), niceness counts within one only. A session
# that the browser shares with its caller keeps its priority.
session=$(cut -d ' ' -f 6 /proc/$$/stat 2>/dev/null) || session=
[ "$session" != $$ ] || [ ! -w /proc/self/autogroup ] || echo ${niceness} >/proc/self/autogroup 2>/dev/null || true
command -v nice >/dev/null && behind='nice -n ${niceness}' || behind=
no_raise='setpriv --bounding-set -sys_nice --inh-caps -sys_nice'
$no_raise true 2>/dev/null && behind="$no_raise $behind"

${
  guard === undefined
    ? `exec $behind ${quote(path)} "$@"`
    : `mkfifo "$scratch/${TO_BROWSER}" "$scratch/${FROM_BROWSER}" || exit 1
echo "DevTools listening on ${guard.address}\${scratch##*/}" >&2
exec $behind ${quote(path)} "$@" 3<"$scratch/${TO_BROWSER}" 4>"$scratch/${FROM_BROWSER}" 2>/dev/null`
}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
