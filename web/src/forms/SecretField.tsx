import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/** A text that is hidden while it is typed and never shown again; left empty, a stored one stays. */
export function SecretField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const { t } = useTranslation("forms");
  const [shown, setShown] = useState(false);
  const field = useField(props);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="relative">
        <input
          {...field.control}
          type={shown ? "text" : "password"}
          value={draft}
          placeholder={field.placeholder}
          // Not the reader's own password, which a browser would offer here.
          autoComplete="new-password"
          spellCheck={false}
          onChange={(event) => {
            field.changed();
            onChange(event.target.value);
          }}
          className="control pr-11"
        />
        <button
          type="button"
          aria-label={t(shown ? "hide" : "show", { label: field.label })}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
    </FieldFrame>
  );
}
