import { type MessageDescriptor, msg } from "../i18n/message.ts";
import type { Language } from "../i18n/render.ts";
import type { GuessLimits } from "./password.ts";
import type { Feature } from "./plans.ts";
import type { Action, Resource, Role } from "./roles-and-scopes.ts";

/** Who is calling: a person (session) or one of their API keys, always within one organization. */
export interface Caller {
  kind: "session" | "key";
  userId: number;
  organizationId: number;
  apiKeyId: number | null;
  /** When the key expires, milliseconds; null: never, or not a key. */
  keyExpiresAt: number | null;
  sessionId: number | null;
  /** Whether they may name another of the person's organizations; a key only if it was made for all. */
  allOrganizations: boolean;
  role: Role;
  /** `<action>:<resource>`; a session has `["*:*"]` cut down by its role. */
  scopes: readonly string[];
  plan: string;
  reports: boolean;
  requestId: string;
  address: string;
  /** Of their browser or program; the person may have chosen another. */
  language?: Language;
  /** The request named its organization, so it means nothing outside it. */
  organizationChosen?: boolean;
  /** Of the operation, so that role and plan in another organization are checked too. */
  needs?: Needs;
}

/** `caller`: by session or key; `session`: signed in; `operator`: from the command line. */
export type By = "caller" | "session" | "anyone" | "operator";

export interface Needs {
  by: By;
  action: Action;
  /** Null: the caller's own affairs, which need no scope or role. */
  resource: Resource | null;
  features: readonly Feature[];
  /** The least role, where it does not follow from resource and action. */
  role?: Role;
}

/** A client of which no credentials are required, as the transport sees it. */
export interface AnonymousClient {
  requestId: string;
  address: string;
  userAgent: string;
  /** Of their browser or program. */
  language?: Language;
  /** The token of the session that they come with. */
  token?: string | undefined;
  /** Whether they have signed in to this account from there before. */
  isKnown?: boolean;
  /** Counts their guesses at an account. */
  guesses?: GuessLimits;
  signedIn?(): Promise<Caller | null>;
}

export const THEMES = ["light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** What is wrong with the name of a time zone; null for one of the IANA database, in any case. */
export function timeZoneProblem(name: string): MessageDescriptor | null {
  // Intl also takes offsets, such as +01:00, which know no summer time.
  if (!/^[a-z]/i.test(name)) return msg("input.time_zone");
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return null;
  } catch {
    return msg("input.time_zone");
  }
}
