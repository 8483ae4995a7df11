import { FieldNote } from "../components/Field.tsx";
import { type FieldProps, useField } from "./form-context.ts";
import { Tick } from "./Tick.tsx";

/** Yes or no. */
export function SwitchField({ draft, onChange, ...props }: FieldProps<boolean>) {
  const field = useField(props);
  return (
    <div className="grid gap-0.5">
      <Tick
        {...field.control}
        type="checkbox"
        checked={draft}
        onChange={(on) => {
          field.changed();
          onChange(on);
        }}
      >
        <span className="text-sm font-medium">{field.label}</span>
      </Tick>
      {field.noted && (
        <div className="max-w-xl pl-6.5 text-pretty">
          <FieldNote id={field.noteId} hint={field.help} warning={field.warning} errors={field.errors} />
        </div>
      )}
    </div>
  );
}
