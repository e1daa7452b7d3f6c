import type { McpServer } from '@modelcontextprotocol/server';
import { announceChanges, type OnChanged } from './catalog-news.js';
import { serveCompletion } from './completion.js';
import { servePrompts } from './prompts.js';
import { serveResources } from './resources.js';
import { type ExtensionParts, serveSkillsExtension } from './skills-extension.js';

/** What prompts, resources and the Skills extension are made of. */
export interface SurfaceParts extends ExtensionParts {
  /** Absent when the catalog never changes: then no notification is promised. */
  readonly onChanged?: OnChanged;
}

/** Serves skills by all means beside the tools on one server, before it is connected. Nothing is read for it. */
export function serveSurfaces(mcp: McpServer, parts: SurfaceParts, era: 'legacy' | 'modern'): void {
  const listChanged = parts.onChanged !== undefined;
  mcp.server.registerCapabilities({
    prompts: { listChanged },
    resources: { listChanged, subscribe: listChanged },
    completions: {},
  });
  const { onChanged } = parts;
  const catalog =
    onChanged === undefined ? parts.catalog : announceChanges(mcp, { ...parts, onChanged }, era);
  // The extension first: it brings resource handlers of its own, which ours replace.
  serveSkillsExtension(mcp, { ...parts, catalog });
  serveResources(mcp, { ...parts, catalog });
  servePrompts(mcp, { ...parts, catalog });
  serveCompletion(mcp, { ...parts, catalog });
}
