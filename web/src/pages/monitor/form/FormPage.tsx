import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "../../../components/Card.tsx";
import { Skeleton } from "../../../components/Skeleton.tsx";
import { useKind, useKindTexts } from "../../../kinds/use-kind.ts";

interface FormPageProps {
  title: string;
  /** Where the way back leads: the monitor of that number, or the list. */
  back: { id: number; name: string } | null;
  children: ReactNode;
}

const wayBack =
  "-ml-1 inline-flex max-w-full items-center gap-1 rounded-sm pr-1 text-sm text-ink-muted hover:text-ink";

/** The frame of the pages with a monitor's form: one column, as wide as reads well. */
export function FormPage({ title, back, children }: FormPageProps) {
  const k = useKindTexts();
  const { pages } = useKind();
  return (
    <div className="mx-auto max-w-3xl">
      {back ? (
        <Link to={pages.one} params={{ id: String(back.id) }} className={wayBack}>
          <ChevronLeft aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{back.name}</span>
        </Link>
      ) : (
        <Link to={pages.list} className={wayBack}>
          <ChevronLeft aria-hidden className="size-4" />
          {k("title")}
        </Link>
      )}
      <h1 className="mt-3 mb-5 text-xl font-semibold break-words">{title}</h1>
      {children}
    </div>
  );
}

/** The form's shape while what it needs is on its way. */
export function FormSkeleton() {
  return (
    <Card>
      <div aria-hidden className="grid gap-6 p-5">
        {["w-full", "w-full", "w-28"].map((width, at) => (
          <div key={`${at}-${width}`} className="grid gap-2.5">
            <Skeleton className="h-3.5 w-24" />
            <Skeleton className={`h-9 rounded-md ${width}`} />
          </div>
        ))}
      </div>
    </Card>
  );
}
