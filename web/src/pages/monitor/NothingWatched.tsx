import { Radar } from "lucide-react";
import type { ReactNode } from "react";
import { EmptyState } from "../../components/EmptyState.tsx";
import { useKindTexts } from "../../kinds/use-kind.ts";

/**
 * A page of an organization without a monitor of the kind: the way to the first one. `title`: the page's, for those
 * who hear it.
 */
export function NothingWatched({ title, add }: { title: string; add: ReactNode }) {
  const t = useKindTexts();
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <div className="pt-[6dvh]">
        <EmptyState
          icon={<Radar aria-hidden className="size-8" strokeWidth={1.25} />}
          title={t("empty.title")}
          text={t("empty.text")}
        >
          {add}
        </EmptyState>
      </div>
    </>
  );
}
