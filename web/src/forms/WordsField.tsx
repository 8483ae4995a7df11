import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/** Short texts in a row: Enter or a comma ends one, Backspace in the empty box takes the last away. */
export function WordsField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
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
      <ChipBox isWrong={Boolean(field.errors)}>
        {draft.map((word) => (
          <Chip key={word} label={word} onRemove={() => remove(word)} />
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
      </ChipBox>
    </FieldFrame>
  );
}

/** Chips in a row, and after them (the last child) the box in which the next one is typed. */
export function ChipBox({ isWrong, children }: { isWrong: boolean; children: ReactNode }) {
  return (
    <div
      className={`control flex h-auto min-h-9 flex-wrap items-center gap-1.5 px-1.5 py-1 has-[input:focus-visible]:border-focus has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1 has-[input:focus-visible]:outline-focus ${isWrong ? "border-down" : ""}`}
    >
      {children}
    </div>
  );
}

/** One of them, which can be taken away. */
export function Chip({ label, lead, onRemove }: { label: string; lead?: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation("forms");
  return (
    <span className="flex max-w-full items-center rounded-sm bg-hover pl-2 text-sm leading-6 text-ink">
      {lead}
      <span className="truncate">{label}</span>
      <button
        type="button"
        aria-label={t("remove", { label })}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:text-ink"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}
