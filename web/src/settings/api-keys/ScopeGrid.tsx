import { useId } from "react";
import { useTranslation } from "react-i18next";
import { scopeResources } from "../../../../server/src/wire/scope-resources.ts";
import { Checkbox } from "../../components/Checkbox.tsx";
import { FieldNote } from "../../components/Field.tsx";
import { type Column, Table, TableFrame } from "../../components/Table.tsx";
import { useScopeWords } from "./use-scope-words.ts";

interface ScopeGridProps {
  scopes: readonly string[];
  errors: string[] | undefined;
  onChange: (scopes: readonly string[]) => void;
}

type Resource = (typeof scopeResources)[number];

/** What a key may read and write, resource by resource. Who may write may read as well. */
export function ScopeGrid({ scopes, errors, onChange }: ScopeGridProps) {
  const { t } = useTranslation("settings/api-keys");
  const { resourceName, say } = useScopeWords();
  const id = useId();
  const boxes = (action: "read" | "write"): Column<Resource> => ({
    id: action,
    head: t(action),
    cell: (resource) => {
      const scope = `${action}:${resource}`;
      return (
        <Checkbox
          label={say(action, [resource])}
          checked={scopes.includes(scope)}
          onChange={(on) => onChange(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          className="relative mx-auto my-0.5"
        />
      );
    },
    align: "center",
    width: "w-20",
  });
  const columns: Column<Resource>[] = [
    {
      id: "resource",
      head: t("resource"),
      cell: (resource) => resourceName(resource),
      names: true,
    },
    boxes("read"),
    boxes("write"),
  ];
  return (
    <fieldset aria-describedby={`${id}-note`} className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("scopes")}</legend>
      <TableFrame label={t("scopes")} className="max-h-64">
        <Table columns={columns} rows={scopeResources} keyOf={(resource) => resource} />
      </TableFrame>
      <FieldNote id={`${id}-note`} hint={t("scopesHint")} errors={errors} />
    </fieldset>
  );
}
