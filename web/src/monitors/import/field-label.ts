import { useTranslation } from "react-i18next";
import type { ImportEntry } from "../../api/imports.ts";

/**
 * What the app calls a field of an entry, as the form of such a monitor does: `protocolConfig.port` of a TCP service is its
 * port. Undefined: it is about all of the entry, or in no form.
 */
export function useFieldLabel({ kind, type }: Pick<ImportEntry, "kind" | "type">) {
  const { t, i18n } = useTranslation([
    "monitors/import",
    "monitors/form",
    "monitors/domain/form",
    "monitors/service/form",
  ]);
  return (field: string): string | undefined => {
    const parts = field.split(".");
    // Of values within a setting the setting is named.
    for (let count = parts.length; count > 0; count -= 1) {
      const name = placesOf(kind, type, parts.slice(0, count)).find((one) => i18n.exists(one));
      if (name) return t(name as "monitors/form:field.tags.label");
    }
    return undefined;
  };
}

function placesOf(kind: ImportEntry["kind"], type: string | null, path: readonly string[]): string[] {
  const field = path.join(".");
  const [first, ...rest] = path;
  const ofKind = kind === "service" ? "monitors/service/form" : "monitors/domain/form";
  const own =
    first === "protocolConfig"
      ? [`monitors/service/form:protocol.${type ?? ""}.${rest.join(".")}.label`]
      : [];
  return [...own, `${ofKind}:field.${field}.label`, `monitors/form:field.${field}.label`];
}
