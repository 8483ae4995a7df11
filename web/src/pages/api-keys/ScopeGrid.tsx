import { useId } from "react";
import { useTranslation } from "react-i18next";
import { resources } from "../../api/api-keys.ts";
import { Checkbox } from "../../components/Checkbox.tsx";
import { FieldNote } from "../../components/Field.tsx";

interface ScopeGridProps {
  scopes: readonly string[];
  errors: string[] | undefined;
  onChange: (scopes: readonly string[]) => void;
}

/** What a key may read and write, resource by resource. Who may write may read as well. */
export function ScopeGrid({ scopes, errors, onChange }: ScopeGridProps) {
  const { t } = useTranslation();
  const id = useId();
  const toggle = (scope: string, on: boolean) =>
    onChange(on ? [...scopes, scope] : scopes.filter((one) => one !== scope));
  return (
    <fieldset aria-describedby={`${id}-note`} className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t("apiKeys.scopes")}</legend>
      <div className="max-h-64 overflow-y-auto rounded-md border border-line">
        <table className="w-full text-sm">
          <thead className="sticky top-0 z-10 bg-raised text-xs text-ink-faint">
            <tr>
              <th scope="col" className="py-2 pl-3 text-left font-normal">
                {t("apiKeys.resource")}
              </th>
              <th scope="col" className="w-16 font-normal">
                {t("apiKeys.read")}
              </th>
              <th scope="col" className="w-16 font-normal">
                {t("apiKeys.write")}
              </th>
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource} className="border-t border-line">
                <th scope="row" className="h-9 pl-3 text-left font-normal">
                  {resource === "*" ? t("apiKeys.everything") : resource}
                </th>
                {(["read", "write"] as const).map((action) => (
                  <td key={action}>
                    <Checkbox
                      label={`${action}:${resource}`}
                      checked={scopes.includes(`${action}:${resource}`)}
                      onChange={(on) => toggle(`${action}:${resource}`, on)}
                      className="relative mx-auto"
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <FieldNote id={`${id}-note`} hint={t("apiKeys.scopesHint")} errors={errors} />
    </fieldset>
  );
}
