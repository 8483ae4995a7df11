import { type KeyboardEvent, useRef, useState } from "react";
import { Chip, ChipBox } from "./ChipBox.tsx";
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
