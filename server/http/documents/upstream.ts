/** The tools of code that reads an upstream: a way to ask it, and facts that were learned from it before. */

export interface Reply {
  /** Decoded by the document's own declaration, the content type, or UTF-8. */
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Asks an upstream. Throws on anything but a 2xx; a 304 returns the last body. */
export type Get = (url: string, headers?: Record<string, string>) => Promise<Reply>;

/** Facts about the world that do not change, kept in the database, such as where a flood area is. */
export interface Facts {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}
