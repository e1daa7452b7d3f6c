import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { toOneLine } from '../errors/sanitize.js';
import type { Log } from './log.js';
import type { ToolCall, ToolDefinition } from './tool.js';
import { formatAnswer, formatFailure } from './tool-result.js';

/** The tools are fixed for the life of the process, and the same for everybody: clients may keep them for a while, ms. */
const TOOLS_TTL_MS = 300_000;

const MAX_NAME_CHARACTERS = 100;

/** What every connection's server is made of. Nothing in it belongs to one connection. */
export interface ServerParts {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly version: string;
  /** What a model is told about the tools. */
  readonly instructions: string;
  readonly log: Log;
}

/** Makes the server of one connection; both protocol eras are served by the same handlers. */
export function createServer({ tools, version, instructions, log }: ServerParts): McpServer {
  const mcp = new McpServer(
    { name: 'skill-mcp', title: 'Agent Skills', version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions,
      cacheHints: {
        'tools/list': { ttlMs: TOOLS_TTL_MS, cacheScope: 'public' },
        'server/discover': { ttlMs: TOOLS_TTL_MS, cacheScope: 'public' },
      },
    },
  );
  const definitions = [...tools.values()].map((tool) => tool.definition);
  // Handlers of our own: the SDK's would validate arguments first, and its words would reach the user.
  mcp.server.setRequestHandler('tools/list', () => ({ tools: definitions }));
  mcp.server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: args } = request.params;
    const tool = tools.get(name);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${toOneLine(name, MAX_NAME_CHARACTERS)}`,
      );
    }
    try {
      const answer = await tool.call(args, describeCall(context, log));
      return formatAnswer(answer, tool.bulkyFields, tool.text?.(answer));
    } catch (error) {
      return formatFailure(error, name, log);
    }
  });
  return mcp;
}

function describeCall({ mcpReq }: ServerContext, log: Log): ToolCall {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: mcpReq.signal };
  return {
    signal: mcpReq.signal,
    progress: (progress) => {
      if (mcpReq.signal.aborted) return;
      mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
        .catch((error: unknown) => log.debug(`progress was not sent: ${String(error)}`));
    },
  };
}
