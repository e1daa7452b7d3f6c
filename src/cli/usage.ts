/** What --help prints. */
export const USAGE = `skill-mcp: serves a directory of Agent Skills over MCP (stdio) and runs the scripts they declare

usage: skill-mcp [--root DIR]... [--toolsets NAMES]
       skill-mcp find|sources|eval|opencode ...   for people; each has --help

  --root DIR         serve the skills under DIR; may be repeated. MCP_SKILLS_PATH wins over it
  --toolsets NAMES   groups of tools to switch on, separated by commas
  -v, --version      print the version
  -h, --help         print this text

Without a root the example skill of this package is served. Everything else is set by variables: see the README.
`;
