import type { ReactNode } from "react";

interface FilterButtonsProps<Name extends string> {
  label: string;
  names: readonly Name[];
  chosen: Name;
  children: (name: Name) => ReactNode;
  onChoose: (name: Name) => void;
  className?: string;
}

/** A few views of the same thing side by side, of which one is shown; where they do not fit, they scroll. */
export function FilterButtons<Name extends string>({
  label,
  names,
  chosen,
  children,
  onChoose,
  className = "",
}: FilterButtonsProps<Name>) {
  return (
    <div
      role="group"
      aria-label={label}
      className={`fading relative -mx-1 flex max-w-full min-w-0 gap-0.5 overflow-x-auto px-1 py-1 [scrollbar-width:none] ${className}`}
    >
      {names.map((name) => (
        <button
          key={name}
          ref={name === chosen ? reveal : undefined}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className="flex h-8 shrink-0 items-center gap-2 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
        >
          {children(name)}
        </button>
      ))}
    </div>
  );
}

/** On a phone the pressed one may be out of sight, and nothing would say what is shown. */
function reveal(button: HTMLButtonElement | null): void {
  const group = button?.parentElement;
  if (button && group) group.scrollLeft = button.offsetLeft - (group.clientWidth - button.offsetWidth) / 2;
}
