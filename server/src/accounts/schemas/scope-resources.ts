import { RESOURCES } from "../../platform/access/roles-and-scopes.ts";

/** `*` includes resources of later versions. */
export const scopeResources = ["*", ...RESOURCES] as const;
