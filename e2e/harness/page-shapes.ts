import type { Numbers, Role } from "./company.ts";

/**
 * Controls by role and accessible name: `button Add`; `*` matches
 * any words. Each role lists what it has beside that of the roles below it.
 */
export type Controls = Partial<Record<Role, readonly string[]>>;

/** A request that a control sends, and the least role that may send it: with a body or a number that changes nothing. */
export interface PageRequest {
  least: Role;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: object;
}

/** A page behind the sign-in, and what each role finds on it. */
export interface AppPage {
  /** As in web/src/routes.tsx. */
  path: string;
  at?: (ids: Numbers) => string;
  /** What is there once the page has loaded; for those who may not see it, what says so. */
  ready: string;
  controls: Controls;
  /** In an organization without anything, where the page is another one then. */
  empty?: { ready: string; controls: Controls };
  /** The API requests of its controls. */
  requests?: readonly PageRequest[];
  /** Buttons that open a dialog or a menu. */
  opens?: readonly string[];
  /** `g`, then this, leads there. */
  key?: string;
  /** It shows nothing of its own that is read. */
  readsNothing?: true;
  /** From which role on the page is shown at all; others see that they may not. */
  least?: Role;
}

/** A page before the sign-in, which everybody may see. */
export interface BarePage {
  path: string;
  at?: (ids: Numbers) => string;
  ready: string;
  controls: readonly string[];
}
