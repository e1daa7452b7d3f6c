/** What --help prints. */
export const USAGE = `skill-mcp: serves a directory of Agent Skills over MCP (stdio) and runs the scripts they declare

usage: skill-mcp [--root DIR]... [--toolsets NAMES]
       skill-mcp registry SUBCOMMAND   (skill-mcp registry --help lists them)

  --root DIR         serve the skills under DIR; may be repeated. MCP_SKILLS_PATH wins over it
  --toolsets NAMES   groups of tools to switch on, separated by commas: serve, registry
  -v, --version      print the version
  -h, --help         print this text

Without a root the example skill of this package is served. Everything else is set by variables: see the README.
`;
