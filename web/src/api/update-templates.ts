import { queryOptions } from "@tanstack/react-query";
import type { ShownBuiltInTemplate, ShownTemplate } from "../../../server/src/wire/update-templates.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type UpdateTemplate = ShownTemplate;
export type BuiltInTemplate = ShownBuiltInTemplate;

/** Those that everybody has, in the order of an incident. */
export const builtInTemplates = [
  "investigating",
  "identified",
  "monitoring",
  "resolved",
  "maintenance",
] as const satisfies readonly BuiltInTemplate["template"][];

const root = "update-templates";

/** The organization's own, oldest first. */
export const updateTemplatesQuery = queryOptions({
  queryKey: [root, "list"],
  queryFn: async ({ signal }) =>
    (await call<UpdateTemplate[]>("GET", apiPaths.updateTemplates, { signal })).data,
});
