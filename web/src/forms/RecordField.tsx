import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../components/Button.tsx";
import { FieldNote } from "../components/Field.tsx";
import { nextId, type Row } from "./drafts.ts";
import { AddButton, FieldSet } from "./FieldFrame.tsx";
import { type FieldProps, useField, useFormContext } from "./form-context.ts";

/** Pairs of a name and a value, a line each. */
export function RecordField({ bare, draft, onChange, ...props }: FieldProps<readonly Row[]>) {
  const { t } = useTranslation("forms");
  const { text } = useFormContext();
  const field = useField(props);
  const lines = useRef<HTMLDivElement>(null);
  const focusLater = (selector: string) =>
    requestAnimationFrame(() => lines.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = () => {
    const id = nextId();
    onChange([...draft, { id, name: "", value: "", isStored: false }]);
    focusLater(`[data-line="${id}"] input`);
  };
  const remove = (row: Row) => {
    field.changed();
    onChange(draft.filter(({ id }) => id !== row.id));
    focusLater("[data-add]");
  };
  const change = (row: Row) => onChange(draft.map((one) => (one.id === row.id ? row : one)));
  return (
    <FieldSet field={field} bare={bare}>
      <div ref={lines} className="grid gap-2">
        {draft.map((row, at) => (
          <Line
            key={row.id}
            row={row}
            number={at + 1}
            path={`${props.path}.${row.name.trim()}`}
            textKey={props.textKey}
            onChange={change}
            onRemove={remove}
          />
        ))}
        <AddButton icon={<Plus aria-hidden />} onClick={add}>
          {text(`field.${props.textKey}.add`) ?? t("add")}
        </AddButton>
      </div>
    </FieldSet>
  );
}

interface LineProps {
  row: Row;
  number: number;
  path: string;
  textKey: string;
  onChange: (row: Row) => void;
  onRemove: (row: Row) => void;
}

function Line({ row, number, path, textKey, onChange, onRemove }: LineProps) {
  const { t } = useTranslation("forms");
  const { stale } = useFormContext();
  const field = useField({ path, textKey });
  /** Then only the value is wrong, not the name. */
  const isStale = row.isStored && stale(path);
  const control = {
    "aria-invalid": field.control["aria-invalid"],
    "aria-describedby": field.errors ? field.noteId : undefined,
    onBlur: field.control.onBlur,
    autoCapitalize: "none",
    autoComplete: "off",
    spellCheck: false,
  };
  const change = (part: Partial<Row>) => {
    field.changed();
    onChange({ ...row, ...part });
  };
  return (
    <div data-line={row.id} className="grid gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_2.25rem] gap-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_2.25rem]">
        <input
          {...control}
          aria-invalid={isStale ? undefined : control["aria-invalid"]}
          type="text"
          aria-label={t("nameOf", { label: field.label, number })}
          placeholder={t("name")}
          value={row.name}
          onChange={({ target }) => change({ name: target.value })}
          className="control"
        />
        <input
          {...control}
          type={row.isStored ? "password" : "text"}
          aria-label={t("valueOf", { label: field.label, number })}
          placeholder={t(row.isStored && !isStale ? "unchanged" : "value")}
          value={row.value}
          onChange={({ target }) => change({ value: target.value })}
          className="control max-sm:col-start-1"
        />
        <IconButton
          label={t("remove", { label: row.name || t("nameOf", { label: field.label, number }) })}
          onClick={() => onRemove(row)}
          className="max-sm:col-start-2 max-sm:row-start-1"
        >
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {field.errors && <FieldNote id={field.noteId} errors={field.errors} />}
    </div>
  );
}
