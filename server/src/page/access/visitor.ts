import type { Caller } from "../../account/caller.ts";
import type { GuessLimits } from "../../account/guessing.ts";
import type { KeptPage } from "../document/kept-page.ts";

/** Who wants to see a status page, as far as that decides it. */
export interface PageVisitor {
  /** From where the request came. */
  address: string;
  /** Who has signed in, or whose API key it is; asked only where the page is not for everybody. */
  signedIn(): Promise<Caller | null>;
  /** What the browser got when the page's password was given. */
  entry?: string | undefined;
  /** The password itself, as programs send it. */
  password?: string | undefined;
  /** Counts their guesses at the page of that slug, which it has now. */
  guesses?(slug: string): GuessLimits;
}

// Said here, because accounts know nothing of pages.
declare module "../../account/caller.ts" {
  interface AnonymousClient {
    /** As status pages see them. */
    atPage?: PageVisitor;
    /** Reads a status page, or gives what was read of it a moment ago; null: there is none. */
    readPage?(slug: string): Promise<KeptPage | null>;
  }
}
