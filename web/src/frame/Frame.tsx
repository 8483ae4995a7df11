import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { startLive } from "../api/live.ts";
import { useAwaySince, useViewSavedAt } from "../api/live-state.ts";
import { sessionQuery } from "../api/session.ts";
import { InsideFrame } from "../components/BareHeader.tsx";
import { Button } from "../components/Button.tsx";
import { Dialog } from "../components/Dialog.tsx";
import { PageBarPlace } from "../components/PageBar.tsx";
import { type Shortcut, useAllShortcuts } from "../components/shortcuts.ts";
import { formatClock } from "../i18n/format.ts";
import { i18n, loadPageTexts } from "../i18n/i18n.ts";
import { showToast } from "../toasts.ts";
import type { AssistantPanelProps } from "./assistant/AssistantPanel.tsx";
import { closePanel, usePanelOpen } from "./assistant/panel-state.ts";
import { BottomBar } from "./BottomBar.tsx";
import { Keys } from "./Keys.tsx";
import { useFrameForm } from "./Sheet.tsx";
import { Sidebar, sidebarWidth } from "./Sidebar.tsx";
import { useFrameShortcuts } from "./use-frame-shortcuts.ts";

/** Few ever see it. */
const DeletionBanner = lazy(async () => ({
  default: (await import("./DeletionBanner.tsx")).DeletionBanner,
}));
/** An owner may have requested or cancelled the organization's deletion in another window. */
const sessionStaleMs = 60_000;

/** The frame of every page behind the sign-in. The live stream runs as long as it is mounted. */
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
      {/* The focus starts before a page's bar: its actions are reached first. */}
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

/** Says that what is shown is old, and from when. It lies over the space above the page, so that nothing moves. */
function AwayStrip() {
  const awaySince = useAwaySince();
  const savedAt = useViewSavedAt();
  const at = savedAt ?? awaySince;
  // Dots turn grey by it (StatusDot).
  useEffect(() => {
    document.documentElement.toggleAttribute("data-away", at !== null);
    return () => document.documentElement.removeAttribute("data-away");
  }, [at]);
  return (
    <div role="status" className="absolute inset-x-0 top-full">
      {at !== null && <Strip at={at} isWaiting={awaySince === null} />}
    </div>
  );
}

/** `isWaiting`: the server may be there, but has not answered yet. */
function Strip({ at, isWaiting }: { at: number; isWaiting: boolean }) {
  const { t, i18n } = useTranslation();
  const [appearedAt] = useState(() => Date.now());
  const time = formatClock(at, appearedAt, i18n.language);
  return (
    <p className="flex min-h-7 items-center gap-2 border-b border-line bg-warn-soft px-4 py-0.5 text-xs text-warn-ink sm:px-6 sm:text-sm">
      <WifiOff aria-hidden className="size-3.5 shrink-0" />
      <span>{t(isWaiting ? "frame.waiting" : "frame.away", { time })}</span>
    </p>
  );
}

/** Every shortcut that works on the page now. */
function ShortcutsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const all = useAllShortcuts();
  // Read before the dialog opens and takes it.
  const [opener] = useState(() => document.activeElement);
  const focusOpener = useCallback(() => {
    if (opener instanceof HTMLElement) opener.focus();
  }, [opener]);
  return (
    <Dialog title={t("shortcuts.title")} onLeft={focusOpener} onClose={onClose}>
      {(["page", "app"] as const).map((group) => (
        <Group
          key={group}
          title={t(`shortcuts.${group}`)}
          shortcuts={all.filter((one) => one.group === group)}
        />
      ))}
      <div className="mt-5 flex justify-end">
        <Button variant="quiet" onClick={onClose}>
          {t("action.close")}
        </Button>
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="text-xs text-ink-faint">{title}</h3>
      <dl className="mt-1">
        {shortcuts.map(({ keys, text }) => (
          <div
            key={keys}
            className="flex items-center justify-between gap-4 border-t border-line py-1.5 text-sm first:border-t-0"
          >
            <dt className="min-w-0">{text}</dt>
            <dd>
              <Keys keys={keys} />
              <span className="sr-only">{keys.replace("Mod+", "Ctrl + ")}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The panel's own script and texts come when it is opened first. */
async function loadPanel(): Promise<ComponentType<AssistantPanelProps>> {
  const [script] = await Promise.all([
    import("./assistant/AssistantPanel.tsx"),
    loadPageTexts("frame/assistant", "frame/assistant/tools"),
  ]);
  return script.AssistantPanel;
}

/** At the end of the frame, where its panel opens; closed, it preserves the draft and the answer in progress. */
function Assistant() {
  const isOpen = usePanelOpen();
  const [loaded, setLoaded] = useState<{ Panel: ComponentType<AssistantPanelProps> } | null>(null);
  useEffect(() => {
    if (!isOpen || loaded) return;
    loadPanel().then(
      (Panel) => setLoaded({ Panel }),
      () => {
        closePanel();
        showToast("error", i18n.t("error.unreachable"));
      },
    );
  }, [isOpen, loaded]);
  return loaded && <loaded.Panel isOpen={isOpen} />;
}
