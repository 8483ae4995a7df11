import type { ComponentProps, ReactNode } from "react";

interface TickProps extends Omit<ComponentProps<"input">, "onChange" | "children"> {
  type: "checkbox" | "radio";
  children: ReactNode;
  onChange: (on: boolean) => void;
}

/** A box to tick, or one of several, with its words beside it; both can be hit. */
export function Tick({ children, onChange, ...input }: TickProps) {
  return (
    <label className="flex w-fit max-w-full cursor-pointer items-start gap-2.5 text-base">
      <input
        {...input}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.75 size-4 shrink-0 cursor-pointer accent-action"
      />
      <span className="min-w-0 break-words">{children}</span>
    </label>
  );
}
