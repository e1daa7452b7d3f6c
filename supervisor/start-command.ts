/**
 * How the child is started. One place decides two things that must never differ: which level runs get, and whether the child itself dies with its parent by a signal of the kernel (it walks no kill ladder then,
 * which is right only where the kernel also ends everything below it).
 */
import { CHANNEL_FD, type FenceRequest } from './protocol.js';
import { buildSandboxRoot } from './sandbox-root.js';

/** Where util-linux lives, looked up before the caller's own PATH, by the probe and by the child alike. */
export const STANDARD_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

/** A probe that hangs is a probe that failed; seconds, far above the 10 ms of a good one, below the start's limit. */
const PROBE_LIMIT_S = 2;

/** Options of the two programs that open a namespace, in the order in which they are executed. */
export const NAMESPACE_OPTIONS = {
  /** Ends the wrapper when the supervisor dies; without it a run outlives a killed supervisor. */
  outerSetpriv: ['--pdeathsig', 'KILL', '--'],
  unshare: ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc'],
  /** For root only: in a namespace of its own, root would otherwise hold every capability. */
  innerSetpriv: ['--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', '--'],
} as const;

/** First word of the line in which the init counts the processes that outlived its program. */
export const SURVIVOR_MARK = 'survivors:';

/**
 * The shell that is process 1 of a namespace. It never becomes the program itself: as process 1 a program
 * would ignore SIGTERM and could escape the chain of parent-death signals. The program's stderr comes in as
 * descriptor 3, so that words of the wrapper never mix with words of the program; the variables that a shell
 * adds go again. At the end it counts who is left, because its own exit ends them unseen.
 *
 * It begins with an empty line to the supervisor. A death signal fires only for a parent that dies after it was
 * asked for: if the supervisor died while the wrapper was being set up, nobody would ever end this namespace, and
 * the line that nobody can receive is how the init finds out. `limits` are commands, each ended by `;`, for the
 * program alone.
 */
export const writeInitScript = (limits = ''): string =>
  [
    'echo >&2 || exit 125',
    'unset PWD OLDPWD SHLVL',
    `(${limits}exec 2>&3 3>&-; exec "$@")`,
    's=$? n=0',
    'for p in /proc/[0-9]*; do',
    '  case $p in /proc/1) continue ;; esac',
    '  l=; { read -r l <"$p/stat"; } 2>/dev/null || continue',
    '  case $l in *") Z "*) ;; *) n=$((n + 1)) ;; esac',
    'done',
    `[ $n -eq 0 ] || echo "${SURVIVOR_MARK} $n" >&2`,
    'exit $s',
  ].join('\n');

/** Runs inside the namespace, as a program would, and says why it is none. */
const INSIDE = [
  'die() { echo "$1"; exit 1; }',
  '[ "$PPID" = 1 ] || die "the process namespace is not its own"',
  'read -r me rest </proc/self/stat || die "/proc cannot be read"',
  '[ "$me" = "$$" ] || die "/proc is that of the host"',
  'caps=; while read -r key value; do case $key in CapEff:) caps=$value ;; esac; done </proc/self/status',
  'case $caps in "" | *[!0]*) die "capabilities are left ($caps)" ;; esac',
  'if umount /proc 2>/dev/null; then die "/proc can be unmounted from inside"; fi',
];

/** As above, in a sandbox: the machine must be out of reach too. */
const INSIDE_SANDBOX = [
  ...INSIDE,
  'if (: >/probe) 2>/dev/null; then die "the root can be written"; fi',
  'for d in /home /root /var /run /sys; do [ ! -e $d ] || die "$d of the host is to be seen"; done',
  'n=0; while read -r line; do case $line in *:*) n=$((n + 1)) ;; esac; done </proc/self/net/dev',
  '[ $n = 1 ] || die "the network of the host is to be seen"',
];

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The start script proper: `$@` is node and the child's program. */
const writeStartScript = (wantsSandbox: boolean): string =>
  `
missing=
PATH=${STANDARD_PATH}\${PATH:+:$PATH}
bounded() {
  if command -v timeout >/dev/null 2>&1; then timeout -s KILL ${PROBE_LIMIT_S} "$@"; return; fi
  "$@" & p=$!
  (sleep ${PROBE_LIMIT_S}; kill -KILL $p) >/dev/null 2>&1 & w=$!
  wait $p; r=$?; kill $w 2>/dev/null; return $r
}
require() {
  for tool; do
    command -v $tool >/dev/null 2>&1 || { echo "$tool is not installed"; return 1; }
  done
  [ -r /proc/$$/task/$$/children ] || { echo "/proc does not name the children of a process"; return 1; }
}
probe() {
  require setpriv unshare env || return 1
  if [ "$(id -u)" = 0 ]; then set -- setpriv ${NAMESPACE_OPTIONS.innerSetpriv.join(' ')}; else set --; fi
  bounded setpriv ${NAMESPACE_OPTIONS.outerSetpriv.join(' ')} unshare ${NAMESPACE_OPTIONS.unshare.join(' ')} \\
    /bin/sh -c ${quote(writeInitScript())} init "$@" /bin/sh -c ${quote([...INSIDE, 'exit 0'].join('\n'))} probe 3>&1
}
# What a shell adds of itself is nobody's variable; bash adds it once more at every exec.
unset PWD OLDPWD SHLVL
if [ -n "\${BASH_VERSION:-}" ]; then
  case $1 in *=*) ;; *) set -- env -u PWD -u OLDPWD -u SHLVL -u _ "$@" ;; esac
fi
${wantsSandbox ? writeSandboxPart() : ''}if reason=$(probe 2>&1 </dev/null ${CHANNEL_FD}>&-); then
  exec setpriv --pdeathsig KILL -- "$@" namespace "$missing"
fi
exec "$@" portable "\${missing:-\${reason:-the self-test of the namespace failed}}"
`.trim();

/** Only where it was asked for: what is missing is remembered as the reason for a weaker level. */
function writeSandboxPart(): string {
  const root = buildSandboxRoot('none', ['/tmp']).map(quote).join(' ');
  return `sandbox() {
  require setpriv bwrap env || return 1
  bounded bwrap ${root} --remount-ro / --chdir / -- \\
    /bin/sh -c ${quote(writeInitScript())} init /bin/sh -c ${quote([...INSIDE_SANDBOX, 'exit 0'].join('\n'))} probe 3>&1
}
if missing=$(sandbox 2>&1 </dev/null ${CHANNEL_FD}>&-); then
  exec setpriv --pdeathsig KILL -- "$@" sandbox
fi
: "\${missing:=the self-test of the sandbox failed}"
`;
}

export interface StartRequest {
  /** Absolute path of the node executable. */
  readonly node: string;
  /** Absolute path of the child's program. */
  readonly entry: string;
  /** The level asked for; with `portable` nothing is probed. */
  readonly fence: FenceRequest;
  /** Default: the platform of this process. */
  readonly platform?: NodeJS.Platform;
}

/** The command that starts the child; it expects the channel as descriptor `CHANNEL_FD` and a session of its own. */
export function startCommand(request: StartRequest): { file: string; args: string[] } {
  const { node, entry, fence, platform = process.platform } = request;
  if (fence === 'portable') return { file: node, args: [entry, 'portable', 'it was asked for'] };
  if (platform !== 'linux') {
    return { file: node, args: [entry, 'portable', `there are no namespaces on ${platform}`] };
  }
  return { file: '/bin/sh', args: ['-c', writeStartScript(fence === 'sandbox'), 'start', node, entry] };
}
