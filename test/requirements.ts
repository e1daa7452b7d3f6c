/**
 * The promises of the README, each with an id. A test says which of them it proves by ending its title, or the
 * title of its group, with the ids in brackets:
 *
 *     it('ends a helper that left the group [run.nothing-left]', …)
 *     describe('a confirmation token [confirm.token, confirm.once]', …)
 *
 * requirements.test.ts fails when a promise is proved by no test, and when a test names an id that is not here.
 */
export interface Requirement {
  /** What is promised, in one sentence. */
  readonly promise: string;
  /** Heading of the README under which the promise stands. */
  readonly where: string;
}

export const REQUIREMENTS = {
  'skills.layouts': {
    promise: 'Skills are found in the three places under each root.',
    where: 'Skills',
  },
  'skills.name': {
    promise: 'A skill is called like its directory, whatever its file says.',
    where: 'Skills',
  },
  'skills.duplicates': {
    promise: 'Two directories of one name are both reported and neither is served.',
    where: 'Skills',
  },
  'skills.links': {
    promise: 'A link to a directory is followed inside the configured roots and reported outside.',
    where: 'Skills',
  },
  'skills.deeper': {
    promise: 'Whatever lies deeper than is searched is counted and reported.',
    where: 'Skills',
  },
  'skills.problems': {
    promise: 'Whatever is not served is listed with its path and the reason.',
    where: 'skill-mcp',
  },
  'skills.frontmatter': {
    promise: 'The head is strict YAML 1.2; what does not parse costs that skill only, with the position.',
    where: 'Skills',
  },
  'skills.recovered': {
    promise: 'An unquoted colon in a value is repaired and reported, and such a skill loses its scripts.',
    where: 'Skills',
  },
  'skills.live': {
    promise: 'Every change of a skill or its files shows in the next call.',
    where: 'Skills',
  },
  'lint.findings': {
    promise: 'lint names path, line and column of what the server and the specification have against skills.',
    where: 'Check your skills',
  },
  'lint.exit-codes': {
    promise: 'lint ends with 1 when there are errors, else with 0.',
    where: 'Check your skills',
  },
  'lint.json': { promise: 'With --json lint prints one line of JSON.', where: 'Check your skills' },
  'skills.caps': { promise: 'Too many files, skills or bytes are cut and reported.', where: 'Limits' },
  'sources.config': {
    promise:
      'The command line and running servers lose no change of each other, and a bad entry costs itself.',
    where: 'Find a skill among many',
  },
  'sources.heal': {
    promise: 'A sync that is killed or done twice at once leaves the old copy or the new one.',
    where: 'Find a skill among many',
  },
  'sources.order': {
    promise: 'Roots come first, then the sources in their order; the others are listed as shadowed.',
    where: 'Find a skill among many',
  },
  'sources.read-only': {
    promise: 'No script of a skill that a source brought runs.',
    where: 'Find a skill among many',
  },
  'sources.secrets': {
    promise: 'git and commands see none of the keys, and no message shows a token.',
    where: 'Find a skill among many',
  },
  'find.suggests': {
    promise: 'find suggests the skill that clearly fits; load and read hand it out.',
    where: 'The four tools',
  },
  'find.silent': {
    promise: 'Where no skill clearly fits, find stays silent and says why.',
    where: 'The four tools',
  },
  'find.any-input': { promise: 'Any task is answered, whatever it holds.', where: 'The four tools' },
  'find.budget': {
    promise: 'The four tools cost each step of an agent about 290 tokens.',
    where: 'The four tools',
  },
  'find.fallback': {
    promise: 'When a decision model gives no usable answer, words decide and the reason is named.',
    where: 'Decision models',
  },
  'find.key': { promise: 'A key goes to the address of its entry only.', where: 'Decision models' },
  'find.eval': {
    promise: 'skill-mcp eval counts how often find is right.',
    where: 'Find a skill among many',
  },
  'opencode.edit': {
    promise: "OpenCode's config keeps every byte that was not meant, and goes back byte for byte.",
    where: 'OpenCode',
  },
  'declare.block': {
    promise:
      'A script is declared in the mcp-host block; a broken block costs the scripts, not the instructions.',
    where: 'Let a skill run scripts',
  },
  'declare.metadata': {
    promise: 'The block may stand under metadata instead.',
    where: 'Let a skill run scripts',
  },
  'declare.interpreters': {
    promise: 'Interpreters come from a closed set; others are listed as unavailable and never guessed.',
    where: 'Let a skill run scripts',
  },
  'grant.hosted': {
    promise: 'Under a host nothing runs without a grant.',
    where: 'Let a skill run scripts',
  },
  'grant.narrows': {
    promise: 'A grant can only narrow what is declared.',
    where: 'Let a skill run scripts',
  },
  'grant.unreadable': {
    promise: 'A grant that cannot be read grants nothing and is reported.',
    where: 'Let a skill run scripts',
  },
  'grant.pin': {
    promise: 'A row with sha256 runs only while the script has that digest.',
    where: 'Let a skill run scripts',
  },
  'tools.list': {
    promise: 'skill_list answers skills, scripts, problems, fence and supervisor.',
    where: 'Tools',
  },
  'tools.load': { promise: 'skill_load hands over the instructions word for word.', where: 'Tools' },
  'tools.file': {
    promise: 'skill_file answers text as text and anything else as base64; one bad path costs itself only.',
    where: 'Tools',
  },
  'tools.file-inside': { promise: 'No path leads out of the skill, links included.', where: 'Tools' },
  'tools.refusals': {
    promise: 'What a caller can mend is one sentence with isError, without structured content.',
    where: 'Tools',
  },
  'tools.query': {
    promise: 'A query leaves the skills with that text in name or description, and has cursors of its own.',
    where: 'Tools',
  },
  'tools.pages': { promise: 'More than 200 skills come in pages.', where: 'Tools' },
  'tools.documented': {
    promise: 'The tables of tools, settings and flags are those of the program.',
    where: 'Settings',
  },
  'surfaces.prompts': {
    promise: 'Every skill is a prompt that hands over its instructions word for word.',
    where: 'Prompts, resources and the Skills extension',
  },
  'surfaces.resources': {
    promise: 'Every bundled file is a resource whose URI reads back the same bytes; anything else is -32602.',
    where: 'Prompts, resources and the Skills extension',
  },
  'surfaces.completion': {
    promise: 'The resource template completes names and paths.',
    where: 'Prompts, resources and the Skills extension',
  },
  'surfaces.extension': {
    promise: 'The Skills extension lists, gets and reads skills with manifests that verify.',
    where: 'Prompts, resources and the Skills extension',
  },
  'surfaces.unpublished': {
    promise: 'A skill that the extension cannot publish is served by the tools and named.',
    where: 'Prompts, resources and the Skills extension',
  },
  'surfaces.pages': {
    promise: 'Long lists come in pages of less than 1 MiB.',
    where: 'Prompts, resources and the Skills extension',
  },
  'confirm.preview': {
    promise: 'A preview starts no process of the script and names variables without values.',
    where: 'Before a run: the preview',
  },
  'confirm.modes': {
    promise: 'SKILL_MCP_CONFIRM decides what a confirmation is; an unknown value refuses every run.',
    where: 'Before a run: the preview',
  },
  'confirm.token': {
    promise: 'A token is good for its own plan, once, for a limited time.',
    where: 'Before a run: the preview',
  },
  'confirm.changed': {
    promise: 'A changed script or plan is refused with PLAN_CHANGED and a fresh preview.',
    where: 'Before a run: the preview',
  },
  'run.declared-only': {
    promise: 'Only a declared script runs; anything else is refused.',
    where: 'Let a skill run scripts',
  },
  'run.one-at-a-time': { promise: 'A second run meanwhile is refused.', where: 'During a run' },
  'run.no-shell': { promise: 'Arguments arrive as they were sent, without a shell.', where: 'During a run' },
  'run.stdin': { promise: 'Without stdin the script reads an empty input.', where: 'During a run' },
  'run.timeout': {
    promise: 'When its time is over a run is ended: first asked, then forced.',
    where: 'During a run',
  },
  'run.cancel': { promise: 'A cancelled call ends its run and answers nothing late.', where: 'During a run' },
  'run.progress': {
    promise: 'Clients that ask for progress are told about a long run.',
    where: 'Connect a client',
  },
  'run.nothing-left': {
    promise: 'A script cannot leave a process behind, a normal end included.',
    where: 'During a run',
  },
  'run.any-end': {
    promise: 'Any end of a script is a result, never an error.',
    where: 'After a run: the result',
  },
  'run.output-cap': {
    promise: 'Output is kept up to the cap, read on and counted beyond it.',
    where: 'After a run: the result',
  },
  'run.approved-bytes': {
    promise: 'The bytes that were approved are the bytes that run; a change during the run is told.',
    where: 'After a run: the result',
  },
  'run.environment': {
    promise: 'A script sees exactly the fixed names and what it asked for and was granted.',
    where: 'skill-mcp',
  },
  'run.lost': {
    promise:
      'A supervisor that dies or hangs costs the run in flight; it is not repeated and the next one works.',
    where: 'After a run: the result',
  },
  'fence.level': {
    promise: 'The level is found by a self-test and stands in list, preview and result.',
    where: 'The fence',
  },
  'fence.minimum': {
    promise: 'Below the least level every run is refused with the reason.',
    where: 'The fence',
  },
  'fence.namespace': {
    promise: 'At namespace nothing is left and the script does not see the server.',
    where: 'The fence',
  },
  'fence.sandbox': {
    promise:
      'At sandbox a script sees the system, its skill and the granted folders alone, and writes only where it was granted.',
    where: 'The fence',
  },
  'fence.network': {
    promise: 'At sandbox a script has no network unless its skill declares egress.',
    where: 'The fence',
  },
  'fence.options': {
    promise: 'What is wanted on top of a level stands in list, preview and result, or refuses every run.',
    where: 'On top of a level',
  },
  'fence.limits': { promise: 'A script is held within the given limits.', where: 'On top of a level' },
  'fence.run-as': {
    promise: 'With a user of their own, scripts run as that user and nothing of it is left after a run.',
    where: 'On top of a level',
  },
  'fence.cgroup': {
    promise: 'With a control group, nothing is left after a run, at any level.',
    where: 'On top of a level',
  },
  'fence.node-permission': {
    promise:
      'With Node’s permission model, a script starts no programs and opens only its own and granted folders.',
    where: 'On top of a level',
  },
  'fence.doctor': {
    promise: 'The doctor tells what a machine gives and why something is missing.',
    where: 'On top of a level',
  },
  'fence.portable': {
    promise: 'At portable the group and the carriers of the mark are ended.',
    where: 'The fence',
  },
  'fence.server-killed': {
    promise: 'When the server is killed, its script is ended as well.',
    where: 'The fence',
  },
  'fence.environ': { promise: 'The start environment is wiped from /proc on Linux.', where: 'The fence' },
  'settings.roots': { promise: 'The first source of roots that is set counts.', where: 'Settings' },
  'settings.harmless': {
    promise: 'A bad root or variable never stops the start and is shown.',
    where: 'Settings',
  },
  'settings.exit-codes': { promise: 'Exit codes are 0, 1 and 2 as documented.', where: 'Settings' },
  'server.both-eras': {
    promise: 'Clients of the current and of older revisions are served.',
    where: 'Connect a client',
  },
  'server.stdout': {
    promise: 'stdout carries protocol messages only.',
    where: 'When something does not work',
  },
  'server.bad-lines': {
    promise: 'A malformed or over-long message does not end the session.',
    where: 'Limits',
  },
  'server.ends': {
    promise: 'The server ends with its client, and its supervisor and script with it.',
    where: 'Settings',
  },
  'library.import': {
    promise: 'The supervisor can be imported and used without MCP.',
    where: 'The supervisor as a library',
  },
  'library.idle': {
    promise: 'An idle supervisor does not keep a program alive.',
    where: 'The supervisor as a library',
  },
  'package.installed': {
    promise: 'The installed package works through its link.',
    where: 'Connect a client',
  },
  'package.licences': { promise: 'The package brings the licences of what it bundles.', where: 'More' },
  'package.clients': {
    promise: 'Every configuration in docs/clients.md is well-formed and starts this server.',
    where: 'Connect a client',
  },
  'package.demo': { promise: 'The demo walks through everything and checks each step.', where: 'Try it' },
  'registry.six-calls': {
    promise:
      'A new skill is published in six calls, an update in seven or eight, nothing new in two or three.',
    where: 'The registry',
  },
  'registry.exact': {
    promise:
      'A publication makes the folder exactly what was given, modes included, and touches nothing else.',
    where: 'The registry',
  },
  'registry.refusals': {
    promise: 'Bad input is refused before any call, naming the key, the file or the limit.',
    where: 'The registry',
  },
  'registry.verified': {
    promise: 'A fetched copy is hashed at every use, and a harmed one is fetched anew.',
    where: 'The registry',
  },
  'registry.unfit': {
    promise: 'A skill with links, submodules, twins or hostile names is refused as a whole.',
    where: 'The registry',
  },
  'registry.problems': {
    promise:
      'A folder that is no usable skill is listed with the reason, and no fault looks like an empty registry.',
    where: 'The registry',
  },
  'registry.token': {
    promise: 'The token stands in no answer and no log, and gh gets an allowlist of variables.',
    where: 'The registry',
  },
  'registry.all-land': {
    promise: 'Publishers of different skills all land, one commit after the other.',
    where: 'When two people publish',
  },
  'registry.expect': {
    promise: 'With expect nobody’s change is overwritten.',
    where: 'When two people publish',
  },
  'registry.rules': {
    promise: 'What GitHub refuses for another reason comes out at once in its own words.',
    where: 'When two people publish',
  },
  'registry.versions': {
    promise: 'A version is a tag that never changes; older states can be published again.',
    where: 'Versions and installing',
  },
  'registry.install': {
    promise: 'An installation is pinned byte by byte, and never replaces what was changed.',
    where: 'Versions and installing',
  },
  'registry.exit-codes': {
    promise:
      'No configuration, no gh and no login have exit codes of their own; beside other toolsets nothing ends.',
    where: 'Versions and installing',
  },
  'registry.bounded': {
    promise: 'A gh that hangs or dies leaves no process and nothing half-written.',
    where: 'The registry',
  },
} as const satisfies Record<string, Requirement>;
