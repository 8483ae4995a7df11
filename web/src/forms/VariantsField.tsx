import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { FieldNote } from "../components/Field.tsx";
import { type Item, itemOf } from "./drafts.ts";
import { AddButton, FieldSet, InnerFields } from "./FieldFrame.tsx";
import { type FieldProps, useField, useFormContext } from "./form-context.ts";
import { itemProperties, variantName, variantsOf } from "./schema.ts";

/** A list whose items are of several kinds, each with fields of its own. */
export function VariantsField({ bare, draft, onChange, ...props }: FieldProps<readonly Item[]>) {
  const { text } = useFormContext();
  const field = useField(props);
  const list = useRef<HTMLDivElement>(null);
  const { schema, path, textKey } = props;
  const focusLater = (selector: string) =>
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = (variant: string) => {
    const item = itemOf(schema, { [variantName(schema)]: variant });
    onChange([...draft, item]);
    focusLater(`[data-item="${item.id}"] :is(input, select, textarea)`);
  };
  const remove = (item: Item) => {
    // The ones after it move up, and what was said of them with them.
    field.changed();
    onChange(draft.filter(({ id }) => id !== item.id));
    focusLater("[data-add]");
  };
  const change = (item: Item) => onChange(draft.map((one) => (one.id === item.id ? item : one)));
  return (
    <FieldSet field={field} bare={bare}>
      <div ref={list} className="grid gap-3">
        {draft.map((item, at) => (
          <ItemFields
            {...props}
            key={item.id}
            path={`${path}.${at}`}
            textKey={`${textKey}.${item.variant}`}
            item={item}
            number={at + 1}
            onChange={change}
            onRemove={remove}
          />
        ))}
        <div className="flex flex-wrap gap-2">
          {Object.keys(variantsOf(schema)).map((variant) => (
            <AddButton key={variant} icon={<Plus aria-hidden />} onClick={() => add(variant)}>
              {text(`field.${textKey}.${variant}.label`) ?? variant}
            </AddButton>
          ))}
        </div>
      </div>
    </FieldSet>
  );
}

interface ItemFieldsProps extends Omit<FieldProps, "draft" | "onChange"> {
  item: Item;
  number: number;
  onChange: (item: Item) => void;
  onRemove: (item: Item) => void;
}

function ItemFields({ item, number, onChange, onRemove, schema, path, textKey, scopes }: ItemFieldsProps) {
  const { t } = useTranslation("forms");
  const field = useField({ path, textKey });
  return (
    <div
      role="group"
      data-item={item.id}
      data-wrong={field.errors ? "" : undefined}
      aria-label={t("itemOf", { label: field.label, number })}
      aria-describedby={field.noted ? field.noteId : undefined}
      className="rounded-md border border-line bg-page/60 pb-3.5 pl-3.5"
    >
      <div className="flex min-h-10 items-center justify-between gap-2">
        <h3 className="text-sm font-medium">{field.label}</h3>
        <IconButton label={t("remove", { label: field.label })} onClick={() => onRemove(item)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {field.noted && (
        <div className="-mt-1 mb-3 max-w-xl pr-3.5 text-pretty">
          <FieldNote id={field.noteId} hint={field.help} warning={field.warning} errors={field.errors} />
        </div>
      )}
      <InnerFields
        entries={itemProperties(schema, variantsOf(schema)[item.variant] ?? {})}
        path={path}
        textKey={textKey}
        drafts={item.fields}
        scopes={scopes}
        onChange={(fields) => onChange({ ...item, fields })}
        className="gap-3 pr-3.5"
      />
    </div>
  );
}
