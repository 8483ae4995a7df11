import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { startLive } from "../api/live.ts";
import { sessionQuery } from "../api/session.ts";
import { PageBarPlace } from "../components/PageBar.tsx";
import { InsideFrame } from "../components/PageMessage.tsx";
import { AwayStrip } from "./AwayStrip.tsx";
import { Assistant } from "./assistant/Assistant.tsx";
import { BottomBar } from "./BottomBar.tsx";
import { ShortcutsSheet } from "./ShortcutsSheet.tsx";
import { Sidebar, sidebarWidth } from "./Sidebar.tsx";
import { useFrameForm } from "./use-frame-form.ts";
import { useFrameShortcuts } from "./use-frame-shortcuts.ts";

/** Few ever see it. */
const DeletionBanner = lazy(async () => ({
  default: (await import("./DeletionBanner.tsx")).DeletionBanner,
}));
/** In another window an owner may have asked for the organization's deletion, or taken it back. */
const sessionStaleMs = 60_000;

/** The frame of every page behind the sign-in. The live stream runs as long as it stands. */
export function Frame() {
  const client = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const form = useFrameForm();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const shortcuts = useFrameShortcuts();
  // Another organization has another stream.
  const organizationId = session?.organization.id;
  useEffect(() => (organizationId === undefined ? undefined : startLive(client)), [client, organizationId]);
  useQuery({ ...sessionQuery, staleTime: sessionStaleMs });
  if (!session) return null;
  const { deletesAt } = session.organization;
  return (
    <div className="flex min-h-dvh" style={sidebarWidth(form)}>
      <SkipLink />
      {form !== "bar" && <Sidebar session={session} rail={form === "rail"} />}
      {/* Whoever comes to a page stands before its bar: what can be done there is reached first. */}
      <div id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        <header className="sticky top-0 z-20">
          <div
            ref={setBar}
            className="flex h-12 items-center gap-3 border-b border-line bg-page px-4 sm:px-6"
          />
          <AwayStrip />
        </header>
        <main className="relative mx-auto max-w-7xl px-4 pt-9 pb-[calc(4rem+var(--bottom-bar))] sm:px-6 sm:pb-[calc(6rem+var(--bottom-bar))]">
          <PageBarPlace value={bar}>
            <InsideFrame value={true}>
              {deletesAt && (
                <Suspense fallback={null}>
                  <DeletionBanner session={session} deletesAt={deletesAt} />
                </Suspense>
              )}
              {/* Nothing that a page remembers of one organization holds in another. */}
              <Outlet key={organizationId} />
            </InsideFrame>
          </PageBarPlace>
        </main>
      </div>
      {form === "bar" && <BottomBar session={session} />}
      <Assistant key={organizationId} />
      {shortcuts.isShown && <ShortcutsSheet onClose={shortcuts.hide} />}
    </div>
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-md bg-raised px-3 py-2 font-medium shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {t("app.skip")}
    </a>
  );
}
