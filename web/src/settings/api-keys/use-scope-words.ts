import { useTranslation } from "react-i18next";
import { scopeResources } from "../../../../server/src/wire/scope-resources.ts";

type Resource = (typeof scopeResources)[number];

const actions = ["read", "write"] as const;
type Action = (typeof actions)[number];

/** Scopes in words: `Write: Domains and Incidents`. What this version of the app does not know stays as it is. */
export function useScopeWords() {
  const { t } = useTranslation("settings/api-keys");
  const resourceName = (resource: Resource): string => t(`resources.${resource === "*" ? "all" : resource}`);
  const say = (action: Action, resources: readonly Resource[]): string =>
    t("of", { action: t(action), resources: resources.map(resourceName) });
  const inWords = (scopes: readonly string[]): string[] => {
    // Who may do anything may write.
    const given = new Set(scopes.map((scope) => scope.replace(/^\*:/, "write:")));
    const said = actions.flatMap((action) => {
      const resources = scopeResources.filter((resource) => given.delete(`${action}:${resource}`));
      return resources.length > 0 ? [say(action, resources)] : [];
    });
    return [...said, ...given];
  };
  return { resourceName, say, inWords };
}
