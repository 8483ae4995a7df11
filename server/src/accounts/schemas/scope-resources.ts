import { RESOURCES } from "../../platform/access/scopes.ts";

/** What the second half of a scope can be: `*` is every resource, those of later versions too. */
export const scopeResources = ["*", ...RESOURCES] as const;
