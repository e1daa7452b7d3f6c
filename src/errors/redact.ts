/** Text of programs and servers without what would let its reader in: user names in URLs, tokens, headers. */
export function redactSecrets(text: string): string {
  return (
    text
      // The second form is a password that holds a slash.
      .replace(/:\/\/[^\s/'"]*@/g, '://')
      .replace(/:\/\/[^\s/@:'"]+:[^\s@'"]*@/g, '://')
      .replace(/\b(?:gh[a-z]_|github_pat_|glpat-|sk-)[A-Za-z0-9_-]{8,}/g, '(removed)')
      .replace(/\b(authorization\s*[:=]\s*)(?:(?:basic|bearer|token)\s+)?\S+/gi, '$1(removed)')
      .replace(/\b(bearer|basic)\s+[A-Za-z0-9._~+/-]{8,}=*/gi, '$1 (removed)')
      .replace(/([?&](?:[a-z_]*token|key|password|secret)=)[^\s&'"]+/gi, '$1(removed)')
  );
}
