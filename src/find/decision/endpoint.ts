/** Where a model is and what opens the door. */
export interface Endpoint {
  /** Without a slash at the end. */
  readonly baseURL: string;
  readonly modelId: string;
  /** Undefined: the server asks for none. */
  readonly key: string | undefined;
}

/** The header that carries a key, where there is one. */
export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
