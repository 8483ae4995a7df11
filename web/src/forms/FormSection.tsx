import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";

interface FormSectionProps {
  title: string;
  /** What is in it, for those who have not opened it. */
  text: string | undefined;
  open: boolean;
  /** Holds something that is wrong. */
  wrong: boolean;
  onToggle: () => void;
  children: ReactNode;
}

/** Fields under a heading that opens and closes. Closed, they keep what was typed. */
export function FormSection({ title, text, open, wrong, onToggle, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className="border-t border-line first:border-t-0">
      <h2>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          className="flex min-h-12 w-full items-center gap-2.5 px-4 py-2.5 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform duration-150 ${open ? "rotate-90" : ""}`}
          />
          <span className={`shrink-0 font-medium ${wrong ? "text-down-ink" : ""}`}>{title}</span>
          {!open && <span className="truncate text-sm text-ink-faint max-sm:hidden">{text}</span>}
        </button>
      </h2>
      <div id={id} hidden={!open} className="px-4 pt-1.5 pb-6 sm:pr-5 sm:pl-11.5">
        <div className="grid gap-5">{children}</div>
      </div>
    </section>
  );
}
