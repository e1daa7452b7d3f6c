const SCHEME = 'skill://';

/** Longest URI that is read, characters: a path of 1,024, each character as up to nine. */
const MAX_URI_CHARACTERS = 16_384;

/** What a URI of this server names. */
export interface ResourceAddress {
  readonly skill: string;
  /** Relative to the skill; empty for the skill's directory itself. */
  readonly path: string;
}

/**
 * The one URI of a file or directory of a skill. Every segment is encoded so far that it survives being parsed and
 * written again by a client: blanks, accents, `#` and `?` included.
 */
export function writeResourceUri(skill: string, path = ''): string {
  const segments = path === '' ? [skill] : [skill, ...path.split('/')];
  return SCHEME + segments.map(encodeURIComponent).join('/');
}

/** Reads a URI, or says in a phrase why it names nothing here. Where the path leads is not looked at. */
export function readResourceUri(uri: string): ResourceAddress | { readonly fault: string } {
  if (!uri.startsWith(SCHEME)) return { fault: 'only skill:// is served' };
  if (uri.length > MAX_URI_CHARACTERS) return { fault: 'it is too long' };
  // No query and no fragment: templates are expanded with `?` and `#` as they are, and file names hold both.
  const segments: string[] = [];
  for (const segment of uri.slice(SCHEME.length).split('/')) {
    const decoded = decode(segment);
    if (decoded === undefined) return { fault: 'it holds a malformed percent escape' };
    // A slash that was encoded would become a separator that the client did not write.
    if (decoded.includes('/')) return { fault: 'it holds an encoded slash' };
    segments.push(decoded);
  }
  const [skill = '', ...path] = segments;
  if (segments.includes('')) return { fault: 'it has an empty segment' };
  return { skill, path: path.join('/') };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
