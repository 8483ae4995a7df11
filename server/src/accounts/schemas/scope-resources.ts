import { RESOURCES } from "../../platform/access/scopes.ts";

/** `*` includes resources of later versions. */
export const scopeResources = ["*", ...RESOURCES] as const;
