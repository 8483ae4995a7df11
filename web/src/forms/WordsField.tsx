import { X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/** Short texts in a row: Enter or a comma ends one, Backspace in the empty box takes the last away. */
export function WordsField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const box = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const change = (next: readonly string[]) => {
    field.changed();
    onChange(next);
  };
  const take = (text: string) => {
    const words = text.split(",").map((word) => word.trim());
    const added = words.filter((word, at) => word && !draft.includes(word) && words.indexOf(word) === at);
    if (added.length > 0) change([...draft, ...added]);
    setTyped("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && typed.trim() !== "") {
      event.preventDefault();
      take(typed);
    } else if (event.key === "Backspace" && typed === "" && draft.length > 0) {
      change(draft.slice(0, -1));
    }
  };
  const remove = (word: string) => {
    change(draft.filter((one) => one !== word));
    box.current?.focus();
  };
  return (
    <FieldFrame field={field} bare={bare}>
      <div
        className={`control flex h-auto min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus ${field.errors ? "border-down" : ""}`}
      >
        {draft.map((word) => (
          <span
            key={word}
            className="flex max-w-full items-center rounded-sm bg-hover pl-2 text-sm leading-6 text-ink"
          >
            <span className="truncate">{word}</span>
            <button
              type="button"
              aria-label={t("remove", { label: word })}
              onClick={() => remove(word)}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:text-ink"
            >
              <X aria-hidden className="size-3" />
            </button>
          </span>
        ))}
        <input
          {...field.control}
          ref={box}
          type="text"
          value={typed}
          placeholder={draft.length === 0 ? field.placeholder : undefined}
          autoCapitalize="none"
          autoComplete="off"
          onKeyDown={onKeyDown}
          onChange={({ target }) =>
            target.value.includes(",") ? take(target.value) : setTyped(target.value)
          }
          onBlur={() => {
            take(typed);
            field.control.onBlur();
          }}
          className="min-w-32 flex-1 bg-transparent px-1.5 outline-none placeholder:text-ink-faint"
        />
      </div>
    </FieldFrame>
  );
}
