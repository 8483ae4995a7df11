import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatCount } from "../i18n/format.ts";
import type { Entry } from "./entries.ts";

/** The look of a row of the sidebar, and of the rail. */
export const rowLook =
  "group relative flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink aria-expanded:bg-hover [&>svg]:size-4 [&>svg]:shrink-0";

/** The name of a row: beside its icon; on the rail it appears under the pointer and with the focus. */
export function RowName({ rail, children }: { rail: boolean; children: ReactNode }) {
  const look = rail
    ? "pointer-events-none absolute left-full z-40 ml-2 rounded-sm border border-line bg-raised px-2 py-1 text-xs max-w-60 truncate text-ink opacity-0 shadow-float group-hover:opacity-100 group-focus-visible:opacity-100"
    : "min-w-0 flex-1 truncate text-left";
  return <span className={look}>{children}</span>;
}

/** A link to a page; `count`: the number of problems there. */
export function NavLink({
  entry,
  rail,
  count = 0,
}: {
  entry: Entry;
  rail: boolean;
  count?: number | undefined;
}) {
  const { t } = useTranslation();
  const { id, path, icon: Icon } = entry;
  return (
    <Link to={path} activeOptions={{ exact: path === "/" }} className={rowLook}>
      <Icon aria-hidden />
      <RowName rail={rail}>{t(`app.${id}`)}</RowName>
      <ProblemCount count={count} corner={rail} of={id} />
    </Link>
  );
}

/** The number of problems, in red; nothing where there are none. `corner`: on an icon. */
export function ProblemCount({ count, corner, of }: { count: number; corner: boolean; of: Entry["id"] }) {
  const { t, i18n } = useTranslation();
  if (count === 0) return null;
  const place = corner ? "absolute -top-1 left-4 h-4 min-w-4 px-1 leading-4" : "h-5 min-w-5 px-1.5 leading-5";
  const shown =
    count > 99 && corner ? `${formatCount(99, i18n.language)}+` : formatCount(count, i18n.language);
  return (
    <span
      className={`rounded-full bg-danger text-center text-xs font-medium text-on-danger tabular-nums ${place}`}
    >
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{t(of === "incidents" ? "frame.open" : "frame.down", { count })}</span>
    </span>
  );
}
