import { Link } from "@tanstack/react-router";
import { Compass, Radar } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import { EmptyState } from "../components/Loaded.tsx";
import { useKind, useKindTexts } from "./descriptor.ts";

/**
 * A page of an organization without a monitor of the kind: the way to the first one. `title`: the page's, for screen readers.
 */
export function NothingWatched({ title, add }: { title: string; add: ReactNode }) {
  const t = useKindTexts();
  const { t: m } = useTranslation("monitors");
  const mayAdd = useMayWrite();
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      <div className="pt-[6dvh]">
        <EmptyState
          icon={<Radar aria-hidden className="size-8" strokeWidth={1.25} />}
          title={t(mayAdd ? "empty.title" : "empty.nothing")}
          text={mayAdd ? t("empty.text") : m("nothingReadOnly")}
        >
          {add}
        </EmptyState>
      </div>
    </>
  );
}

/** Shown for a monitor that does not exist, or no longer does. */
export function MonitorGone() {
  const k = useKindTexts();
  return (
    <EmptyState
      icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
      title={k("gone.title")}
      text={k("gone.text")}
    >
      <Link to={useKind().pages.list} className="rounded-sm font-medium underline underline-offset-4">
        {k("gone.back")}
      </Link>
    </EmptyState>
  );
}
