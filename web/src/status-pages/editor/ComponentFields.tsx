import { useTranslation } from "react-i18next";
import { FIGURE_NAMES } from "../../../../server/src/page/contents/component-figures.ts";
import type { FieldErrors } from "../../api/client.ts";
import { Field } from "../../components/Field.tsx";
import { Tick } from "../../forms/Tick.tsx";
import type { DraftComponent } from "./page-draft.ts";

interface ComponentFieldsProps {
  component: DraftComponent;
  /** What is wrong, by the name of the box. */
  errors: FieldErrors;
  onChange: (change: Partial<DraftComponent>) => void;
}

/** How a component is shown: its name and its words, and which of its figures visitors see. */
export function ComponentFields({ component, errors, onChange }: ComponentFieldsProps) {
  const { t } = useTranslation("status-pages/editor");
  const { isNew, monitorName, displayName, description } = component;
  return (
    <div className="grid gap-4">
      <Field
        label={t("component.name")}
        hint={t("component.nameHint")}
        value={displayName}
        {...(errors["displayName"] && { errors: errors["displayName"] })}
        placeholder={isNew ? (monitorName ?? undefined) : undefined}
        maxLength={255}
        autoComplete="off"
        onChange={({ target }) => onChange({ displayName: target.value })}
      />
      <Field
        label={t("component.description")}
        optional
        value={description}
        {...(errors["description"] && { errors: errors["description"] })}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t("component.figures")}</legend>
        {FIGURE_NAMES.map((name) => (
          <Tick
            key={name}
            type="checkbox"
            checked={component[name]}
            onChange={(on) => onChange({ [name]: on })}
          >
            {t(`component.${name}`)}
          </Tick>
        ))}
      </fieldset>
    </div>
  );
}
