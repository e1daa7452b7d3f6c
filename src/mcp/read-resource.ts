import type { CatalogSource } from '../catalog/catalog-service.js';
import { readBundleFile, statBundleFile } from '../skill/read-file.js';
import { invalidParams } from './protocol-answer.js';
import { readResourceUri } from './resource-uri.js';
import { readsAsText } from './tools/file-entry.js';

/** A resource is handed over whole or not at all, bytes. */
export const MAX_RESOURCE_BYTES = 1024 * 1024;

/** The content of a file of a skill. */
export type ResourceContent = { readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly bytes: Buffer }
);

/**
 * Reads the file that a URI names, whether its skill is published or not. Throws a protocol error -32602 or a Refusal:
 * unknown, not readable, or larger than can be handed over whole.
 */
export async function readResource(catalog: CatalogSource, uri: string): Promise<ResourceContent> {
  const address = readResourceUri(uri);
  if ('fault' in address) throw invalidParams(`Resource not found: ${uri}: ${address.fault}`);
  const skill = (await catalog(() => [address.skill])).find(address.skill);
  if (skill === undefined) throw invalidParams(`Resource not found: ${uri}: there is no such skill`);
  if (address.path === '') throw invalidParams(`Resource not found: ${uri} is a directory`);
  const { size } = await statBundleFile(skill, address.path);
  if (size > MAX_RESOURCE_BYTES) throw tooLarge(uri, size);
  const file = await readBundleFile(skill, address.path, MAX_RESOURCE_BYTES);
  if (file.truncated) throw tooLarge(uri, file.size);
  const { mediaType: mimeType } = file;
  return readsAsText(file) ? { mimeType, text: file.text } : { mimeType, bytes: file.bytes };
}

function tooLarge(uri: string, size: number): Error {
  return invalidParams(
    `${uri} is ${size} bytes, a resource is at most ${MAX_RESOURCE_BYTES}: the tool skill_file reads its beginning`,
  );
}
