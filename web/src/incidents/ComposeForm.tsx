import type { ComponentProps, FormEvent, ReactNode, RefObject } from "react";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { TextArea } from "../components/TextArea.tsx";

interface ComposeFormProps {
  form: RefObject<HTMLFormElement | null>;
  failure: ComponentProps<typeof FailureNotice>["of"];
  /** The box for what is said. */
  box: Pick<
    ComponentProps<typeof TextArea>,
    "name" | "label" | "hint" | "errors" | "placeholder" | "readOnly" | "className"
  >;
  text: string;
  onText: (text: string) => void;
  submitLabel: string;
  busy: boolean;
  onSubmit: () => void;
  /** What else there is to choose. */
  children?: ReactNode;
  /** What stands in the line of the button: first in it, and right before it. */
  beside?: ReactNode;
  before?: ReactNode;
}

/** What somebody says, and the button that says it. */
export function ComposeForm({ form, failure, box, text, onText, children, ...own }: ComposeFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    own.onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <FailureNotice of={failure} />
      <TextArea
        {...box}
        hideLabel
        rows={3}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      {children}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {own.beside}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
          {own.before}
          <Button type="submit" busy={own.busy} disabled={text.trim() === ""}>
            {own.submitLabel}
          </Button>
        </div>
      </div>
    </form>
  );
}
