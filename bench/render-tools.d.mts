import type { Tool } from '@modelcontextprotocol/server';

export const MAX_COST: number;
export const MAX_PROSE: number;
type Rendered = Pick<Tool, 'name' | 'description' | 'outputSchema'> & { readonly inputSchema: object };
export function renderTool(tool: Rendered): string;
export function costOf(line: string): number;
export function firstLine(description: string): string;
export function renderType(schema: object): string;
