import { ArrowLeft, Search } from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Session } from "../../api/session.ts";
import { IconButton } from "../../components/Button.tsx";
import type english from "./en.json";
import type { PaletteItem, Step } from "./items.ts";
import { PaletteList } from "./PaletteList.tsx";
import { closePalette } from "./palette-state.ts";
import { usePaletteGroups } from "./use-palette-groups.tsx";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "frame/palette": typeof english;
  }
}

/** What was typed, and what follows from it. */
function usePalette(session: Session) {
  const [typed, setTyped] = useState("");
  const [step, setStep] = useState<Step | null>(null);
  const [failure, setFailure] = useState("");
  /** The line that was moved to; null: the first one. */
  const [chosen, setChosen] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    setChosen(null);
    setFailure("");
  };
  const openStep = (next: Step | null) => {
    setStep(next);
    type("");
  };
  const controls = { close: closePalette, openStep, fail: setFailure };
  const { groups, isUpToDate, error } = usePaletteGroups({ session, typed, step, controls });
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ id }) => id === chosen) ?? items[0];
  const move = (to: number) => setChosen(items.at(to % items.length)?.id ?? null);
  const by = (places: number) => active && move(items.indexOf(active) + places);
  return {
    typed,
    type,
    step,
    openStep,
    groups,
    items,
    active,
    isUpToDate,
    chosen,
    setChosen,
    move,
    by,
    error: failure || error,
  };
}

/** Opens or does what the line says; with Ctrl or ⌘ what opens does so in another tab. */
function runItem({ href, stays, run }: PaletteItem, elsewhere: boolean): void {
  if (elsewhere && href !== undefined) {
    window.open(href, "_blank", "noopener");
    return;
  }
  if (!stays) closePalette();
  run();
}

const inAnotherTab = ({ ctrlKey, metaKey }: { ctrlKey: boolean; metaKey: boolean }) => ctrlKey || metaKey;

/** A box to type into, and below it what fits: whatever has a name, pages, and what can be done. */
export function PaletteDialog({ session }: { session: Session }) {
  const { t } = useTranslation("frame/palette");
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useId();
  const palette = usePalette(session);
  const { typed, type, step, openStep, groups, items, active, isUpToDate, chosen, setChosen, move, by } =
    palette;
  const isWaiting = useRef(false);
  useModal(dialog);
  // Enter came before what was typed had been looked for.
  useEffect(() => {
    if (!isWaiting.current || !isUpToDate) return;
    isWaiting.current = false;
    if (active) runItem(active, false);
  }, [isUpToDate, active]);

  const keys: Record<string, () => void> = {
    ArrowDown: () => by(1),
    ArrowUp: () => by(-1),
    PageDown: () => move(items.length - 1),
    PageUp: () => move(0),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Backspace" && typed === "" && step) openStep(null);
    if (event.key === "Enter") {
      event.preventDefault();
      if (active && (isUpToDate || chosen !== null)) runItem(active, inAnotherTab(event));
      else isWaiting.current = !isUpToDate;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <dialog
      ref={dialog}
      aria-label={t("label")}
      onClose={closePalette}
      className="arriving mx-auto mt-[12dvh] h-fit max-h-[min(32rem,76dvh)] w-140 max-w-[calc(100vw-2rem)] flex-col overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-float open:flex backdrop:bg-scrim max-sm:m-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-screen max-sm:max-w-none max-sm:rounded-none max-sm:border-0"
    >
      <div className="flex h-13 shrink-0 items-center gap-1 border-b border-line pr-2 pl-2">
        {step ? (
          <IconButton label={t("back")} onClick={() => openStep(null)}>
            <ArrowLeft aria-hidden className="size-4" />
          </IconButton>
        ) : (
          <Search aria-hidden className="mx-2.5 size-4 shrink-0 text-ink-faint" />
        )}
        <input
          // biome-ignore lint/a11y/noAutofocus: it was opened for typing
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={active && `${list}-${active.id}`}
          aria-label={step ? t(`step.${step}`) : t("label")}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={step ? t(`step.${step}`) : t("placeholder")}
          value={typed}
          onChange={(event) => {
            isWaiting.current = false;
            type(event.target.value);
          }}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-lg outline-none placeholder:text-ink-faint sm:text-base"
        />
        <button
          type="button"
          onClick={closePalette}
          className="h-9 shrink-0 rounded-md px-2.5 text-sm text-ink-muted hover:bg-hover hover:text-ink sm:hidden"
        >
          {t("close")}
        </button>
      </div>
      <PaletteList
        id={list}
        groups={groups}
        active={active}
        typed={typed.trim()}
        isUpToDate={isUpToDate}
        error={palette.error}
        onPoint={setChosen}
        onPress={(item, event) => runItem(item, inAnotherTab(event))}
      />
    </dialog>
  );
}

/** Shows the dialog above everything; what is behind it closes it. Gives the focus back to what the reader came from. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const closeFromOutside = ({ target }: MouseEvent) => {
      if (target === shown) closePalette();
    };
    shown?.showModal();
    shown?.addEventListener("click", closeFromOutside);
    return () => {
      // Nothing behind an open dialog takes the focus: only in the next frame.
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      });
    };
  }, [dialog, before]);
}
