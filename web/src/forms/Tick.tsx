import { Check } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

interface TickProps extends Omit<ComponentProps<"input">, "onChange" | "children"> {
  type: "checkbox" | "radio";
  children: ReactNode;
  onChange: (on: boolean) => void;
}

/** A box to tick, or one of several, with its words beside it; both can be hit. */
export function Tick({ children, onChange, ...input }: TickProps) {
  const isRadio = input.type === "radio";
  return (
    <label className="flex w-fit max-w-full cursor-pointer items-start gap-2.5">
      <span className="mt-0.75 grid size-4 shrink-0 text-on-action *:col-start-1 *:row-start-1">
        <input
          {...input}
          onChange={(event) => onChange(event.target.checked)}
          className={`peer size-4 cursor-pointer appearance-none border border-control bg-surface transition-colors checked:border-action checked:bg-action hover:border-ink-faint ${isRadio ? "rounded-full" : "rounded-xs"}`}
        />
        {isRadio ? (
          <span className="pointer-events-none size-1.5 place-self-center rounded-full peer-checked:bg-on-action" />
        ) : (
          <Check
            aria-hidden
            strokeWidth={3}
            className="pointer-events-none hidden size-3 place-self-center peer-checked:block"
          />
        )}
      </span>
      <span className="min-w-0 break-words">{children}</span>
    </label>
  );
}
