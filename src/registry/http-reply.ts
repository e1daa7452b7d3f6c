/** One answer of GitHub. */
export interface HttpReply {
  readonly status: number;
  /** Names in lowercase. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})(?: |\r?$)/;

/** Reads what `gh api -i` prints; undefined when it does not begin with a status line: then nobody answered. */
export function parseHttpReply(output: Buffer): HttpReply | undefined {
  const lines: string[] = [];
  let start = 0;
  for (;;) {
    const end = output.indexOf('\n', start);
    if (end === -1) break;
    // latin1 keeps one character a byte: a header never decides about the body's bytes.
    const line = output.toString('latin1', start, end).replace(/\r$/, '');
    start = end + 1;
    if (line === '') break;
    lines.push(line);
  }
  const status = STATUS_LINE.exec(lines[0] ?? '')?.[1];
  if (status === undefined) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status), headers, body: output.subarray(start) };
}

/** The `message` of GitHub's JSON error, or undefined: an error page of a proxy has none. */
export function readErrorWords(reply: HttpReply): string | undefined {
  try {
    const parsed: unknown = JSON.parse(reply.body.toString('utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('message' in parsed)) return undefined;
    return typeof parsed.message === 'string' ? parsed.message : undefined;
  } catch {
    return undefined;
  }
}
