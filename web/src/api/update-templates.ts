import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type {
  ShownBuiltInTemplate,
  ShownTemplate,
} from "../../../server/src/status-pages/schemas/update-templates.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";

export type UpdateTemplate = ShownTemplate;
export type BuiltInTemplate = ShownBuiltInTemplate;
export type TemplateText = UpdateTemplate["texts"][number];

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

/** Those that everybody has. */
export const builtInTemplatesQuery = queryOptions({
  queryKey: [root, "built in"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) =>
    (await call<BuiltInTemplate[]>("GET", apiPaths.builtInTemplates, { signal })).data,
});

export const updateTemplateQuery = (id: number) =>
  queryOptions({
    queryKey: [root, "one", id],
    queryFn: async ({ signal }) =>
      (await call<UpdateTemplate>("GET", apiPaths.updateTemplate(id), { signal })).data,
  });

const refresh = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: updateTemplatesQuery.queryKey });

/** Makes a template, or changes the one of that number. */
export function useSaveTemplate(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: Pick<UpdateTemplate, "name" | "texts">) =>
      (
        await (id === null
          ? call<UpdateTemplate>("POST", apiPaths.updateTemplates, { body })
          : call<UpdateTemplate>("PUT", apiPaths.updateTemplate(id), { body }))
      ).data,
    onSuccess: (saved) => {
      client.setQueryData(updateTemplateQuery(saved.id).queryKey, saved);
      return refresh(client);
    },
  });
}

export function useDeleteTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.updateTemplate(id)),
    onSuccess: (_, { id }) => {
      client.removeQueries({ queryKey: updateTemplateQuery(id).queryKey });
      return refresh(client);
    },
  });
}
