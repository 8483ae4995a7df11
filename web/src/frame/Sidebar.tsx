import { useQuery } from "@tanstack/react-query";
import { MessagesSquare, PanelLeft, Search } from "lucide-react";
import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { problemCountsQuery } from "../api/dashboard-stats.ts";
import type { Session } from "../api/session.ts";
import { LiveIndicator } from "../components/LiveIndicator.tsx";
import { AccountMenu } from "./AccountMenu.tsx";
import { togglePanel, usePanelOpen } from "./assistant/panel-state.ts";
import { Bell } from "./Bell.tsx";
import { entries } from "./entries.ts";
import { Keys } from "./Keys.tsx";
import { NavLink, RowName, rowLook } from "./NavLink.tsx";
import { OrganizationSwitcher } from "./OrganizationSwitcher.tsx";
import { openPalette } from "./palette/palette-state.ts";
import { toggleSidebar } from "./Sheet.tsx";

/** The pages beside the page, with their names or, as a rail, as icons alone. */
export function Sidebar({ session, rail }: { session: Session; rail: boolean }) {
  const { t } = useTranslation();
  const { data: problemCounts } = useQuery(problemCountsQuery);
  const linksOf = (group: string) =>
    entries
      .filter((entry) => entry.group === group)
      .map((entry) => (
        <NavLink
          key={entry.id}
          entry={entry}
          rail={rail}
          count={entry.count && problemCounts?.[entry.count]}
        />
      ));
  return (
    <div
      data-sidebar={rail ? "rail" : "wide"}
      className={`sticky top-0 z-30 flex h-dvh shrink-0 flex-col border-r border-line bg-page ${rail ? "w-14 px-2" : "w-58 px-3"}`}
    >
      <div className="flex h-12 items-center">
        <OrganizationSwitcher session={session} rail={rail} />
      </div>
      <nav aria-label={t("app.mainNavigation")} className="mt-1 flex min-h-0 flex-1 flex-col justify-between">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
          <button
            type="button"
            onClick={openPalette}
            aria-keyshortcuts="Control+K Meta+K"
            className={`${rowLook} mb-2`}
          >
            <Search aria-hidden />
            <RowName rail={rail}>{t("app.search")}</RowName>
            {!rail && <Keys keys="Mod+k" />}
          </button>
          {linksOf("watch")}
          <hr className="my-1.5 border-line" />
          {linksOf("help")}
          <AssistantButton rail={rail} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5 pb-3">
          <LiveIndicator rail={rail} />
          <Bell rail={rail} />
          {linksOf("end")}
          <button type="button" onClick={toggleSidebar} aria-keyshortcuts="[" className={rowLook}>
            <PanelLeft aria-hidden />
            <RowName rail={rail}>{t(rail ? "frame.widen" : "frame.narrow")}</RowName>
            {!rail && <Keys keys="[" />}
          </button>
          <AccountMenu session={session} rail={rail} />
        </div>
      </nav>
    </div>
  );
}

/** The sidebar's width, for what opens beside it. */
export const sidebarWidth = (form: "sidebar" | "rail" | "bar"): CSSProperties =>
  ({ "--sidebar": { sidebar: "14.5rem", rail: "3.5rem", bar: "0px" }[form] }) as CSSProperties;

/** A row of the frame that opens the assistant beside the page, and closes it. */
function AssistantButton({ rail }: { rail: boolean }) {
  const { t } = useTranslation();
  const isOpen = usePanelOpen();
  return (
    <button type="button" aria-expanded={isOpen} onClick={() => togglePanel()} className={rowLook}>
      <MessagesSquare aria-hidden />
      <RowName rail={rail}>{t("app.assistant")}</RowName>
    </button>
  );
}
