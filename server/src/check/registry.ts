import type { CheckKind } from "./check.ts";
import { checkHttp } from "./http.ts";

/** Every kind of check there is; adding one is a file and a line here. */
// biome-ignore lint/suspicious/noExplicitAny: each kind knows its own configuration; callers validate it by configSchema.
export const checkKinds = { http: checkHttp } satisfies Record<string, CheckKind<any>>;

export type CheckType = keyof typeof checkKinds;

/** The kind of that type, null for an unknown one (an older probe given a newer monitor). */
export function checkKind(type: string): CheckKind<never> | null {
  return Object.hasOwn(checkKinds, type) ? (checkKinds[type as CheckType] as CheckKind<never>) : null;
}
