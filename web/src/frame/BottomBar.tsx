import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ellipsis, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { troubleCountsQuery } from "../api/figures.ts";
import { useUnread } from "../api/notices.ts";
import type { Session } from "../api/session.ts";
import { NoticesSheet, UnreadCount } from "./Bell.tsx";
import { barEntries } from "./entries.ts";
import { MoreSheet } from "./MoreSheet.tsx";
import { TroubleCount } from "./NavLink.tsx";
import { openPalette } from "./palette/palette-state.ts";

const look =
  "relative grid h-14 min-w-0 flex-1 content-center justify-items-center gap-0.5 text-xs text-ink-muted focus-visible:-outline-offset-2 aria-[current=page]:font-medium aria-[current=page]:text-ink [&_svg]:size-5";

/** The pages at the bottom of a phone, in reach of the thumb. */
export function BottomBar({ session }: { session: Session }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"more" | "notices" | null>(null);
  const { data: trouble } = useQuery(troubleCountsQuery);
  const unread = useUnread();
  return (
    <>
      <nav
        aria-label={t("app.mainNavigation")}
        data-bottom-bar
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-page pb-[env(safe-area-inset-bottom)]"
      >
        {barEntries.map(({ id, path, icon: Icon, count }) => (
          <Link key={id} to={path} activeOptions={{ exact: path === "/" }} className={look}>
            <span className="relative">
              <Icon aria-hidden />
              <TroubleCount count={(count && trouble?.[count]) ?? 0} corner of={id} />
            </span>
            <span className="max-w-full truncate px-0.5">{t(`app.${id}`)}</span>
          </Link>
        ))}
        <button type="button" onClick={openPalette} className={look}>
          <Search aria-hidden />
          <span className="max-w-full truncate px-0.5">{t("app.search")}</span>
        </button>
        <button type="button" aria-expanded={open !== null} onClick={() => setOpen("more")} className={look}>
          <span className="relative">
            <Ellipsis aria-hidden />
            <UnreadCount count={unread} corner />
          </span>
          <span className="max-w-full truncate px-0.5">{t("app.more")}</span>
        </button>
      </nav>
      {open === "more" && (
        <MoreSheet
          session={session}
          unread={unread}
          onNotices={() => setOpen("notices")}
          onClose={() => setOpen(null)}
        />
      )}
      {open === "notices" && <NoticesSheet onClose={() => setOpen(null)} />}
    </>
  );
}
