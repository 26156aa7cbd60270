/** What a reader of an upstream is given: a way to ask it, and what was learned from it before. */

export interface Reply {
  /** Decoded by the declaration in the document, the content type, or UTF-8. */
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Asks an upstream. Throws on anything but a 2xx (a 304 answers with the last body). */
export type Get = (url: string, headers?: Record<string, string>) => Promise<Reply>;

/** Facts about the world that do not change, kept in the database: where a flood area lies, say. */
export interface Facts {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}
