import { Link } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { EmptyState } from "../components/EmptyState.tsx";
import { useKind, useKindTexts } from "./use-kind.ts";

/** Stands for a monitor that does not exist, or not any more. */
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
