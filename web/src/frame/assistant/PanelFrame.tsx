import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { focusPage, giveFocusBack } from "../../components/focus-page.ts";
import { useFrameForm } from "../use-frame-form.ts";
import { closePanel, closePanelAbovePage } from "./panel-state.ts";

/** Beside the page where there is room, above it elsewhere, and in its place on a phone, where the focus stays inside. */
export function PanelFrame({ title, children }: { title: string; children: ReactNode }) {
  const isPhone = useFrameForm() === "bar";
  const panel = useRef<HTMLElement>(null);
  // Read before the panel stands and takes it.
  const [opener] = useState(() => document.activeElement);
  useLayoutEffect(
    () => () => {
      if (opener instanceof HTMLElement) giveFocusBack(opener.isConnected ? () => opener.focus() : focusPage);
    },
    [opener],
  );
  // Unless a box for questions has it, so that Escape closes it and Tab goes on in it.
  useEffect(() => {
    const { current } = panel;
    if (!current?.contains(document.activeElement)) current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => (isPhone ? hideOthers(panel.current) : undefined), [isPhone]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape, as the button beside it
    <aside
      ref={panel}
      aria-label={title}
      data-assistant
      tabIndex={-1}
      onKeyDown={closeByEscape}
      onClick={closeByLink}
      className="focus-visible:-outline-offset-2 fixed inset-y-0 right-0 z-30 flex h-dvh w-full shrink-0 flex-col border-line bg-page pb-[env(safe-area-inset-bottom)] shadow-float md:w-100 md:border-l min-[90rem]:sticky min-[90rem]:top-0 min-[90rem]:z-20 min-[90rem]:shadow-none"
    >
      {children}
    </aside>
  );
}

/** Not by one that ends the writing of a character, or that a dialog of the panel has. */
function closeByEscape({ key, target, nativeEvent, defaultPrevented }: KeyboardEvent) {
  if (key !== "Escape" || defaultPrevented || nativeEvent.isComposing) return;
  if (target instanceof Element && target.closest("dialog")) return;
  closePanel();
}

/** By one that was followed in the app. */
function closeByLink({ target, defaultPrevented }: MouseEvent) {
  if (defaultPrevented && target instanceof Element && target.closest("a")) closePanelAbovePage();
}

/** Nothing behind a panel that covers everything takes the focus. Returns what undoes it. */
function hideOthers(panel: HTMLElement | null): () => void {
  const others = [...(panel?.parentElement?.children ?? [])].filter((one) => one !== panel);
  for (const one of others) one.toggleAttribute("inert", true);
  return () => {
    for (const one of others) one.toggleAttribute("inert", false);
  };
}
