import { DISABLED_FEATURES, PREFERENCES } from './chromium-flags.ts';
import type { DevtoolsGuard } from './devtools-guard.ts';
import { PIPES_ROOT } from './devtools-guard.ts';
import { FROM_BROWSER, HAS_SPOKEN, TO_BROWSER } from './devtools-pipe.ts';

/** Added to the niceness of `npm start`: where both want a core, the browser gets a quarter of it (setpriority(2)). */
const BROWSER_NICENESS = 5;

/** What a wrapper starts. */
export type WrappedBrowser = {
  path: string;
  flags: readonly string[];
  /** miniflare gives the browser none. */
  environment: Readonly<Record<string, string>>;
  /** The file that says this browser works: it goes when the browser ends before it listens. */
  verdict: string;
  /** What stands before the browser's debugging pipe; without it, the browser listens on a port. */
  guard?: DevtoolsGuard | undefined;
};

/**
 * The shell script that stands where miniflare expects its own Chrome. It becomes the browser, so that signals to it
 * are signals to the browser. What the browser leaves outside its profile goes into a folder that is removed with it.
 *
 * miniflare gives the browser a process group of its own, which outlives a killed `npm start`. The watcher ends the
 * browser then; it has a session of its own to outlive a signal to the browser's group.
 *
 * miniflare reads what the browser says until it has named its address, and no further. A browser without windows says there all
 * that pages write to their consoles: when that reader has stopped, it stands still for good after some hundred kilobytes. With a
 * guard, which names the address itself, nothing of it is needed.
 *
 * A page that keeps every core busy must not take them from the Worker: the browser runs at a lower priority, and may not
 * raise it, as Chromium does where it is root.
 */
export function wrapperScript({ path, flags, environment, verdict, guard }: WrappedBrowser): string {
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

# Where the system shares out the cores by session (sched(7), autogroup), niceness counts within one only.
[ ! -w /proc/self/autogroup ] || echo ${BROWSER_NICENESS} >/proc/self/autogroup 2>/dev/null || true
command -v nice >/dev/null && behind='nice -n ${BROWSER_NICENESS}' || behind=
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
