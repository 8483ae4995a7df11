import { useRouter } from "@tanstack/react-router";
import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import type { ListDescriptor, Listed } from "./descriptor.ts";
import type { Choose, Chosen } from "./use-selection.ts";

interface Keyed<Item extends Listed> {
  list: ListDescriptor<Item>;
  total: number;
  itemAt: (index: number) => Item | undefined;
  virtualizer: Virtualizer<Window, Element>;
  selection?: { chosen: Chosen<Item>; choose: Choose<Item> } | undefined;
}

/** `j` and `k` go from row to row, `x` chooses the row, `e` leads to where it is changed; Enter is the link's own. */
export function useListKeys<Item extends Listed>(keyed: Keyed<Item>): void {
  const { t } = useTranslation("list");
  const router = useRouter();
  const latest = useRef(keyed);
  useEffect(() => {
    latest.current = keyed;
  });
  const canChoose = keyed.selection !== undefined;
  const canEdit = keyed.list.editPathOf !== undefined;
  const shortcuts = useMemo((): Shortcut[] => {
    const step = (by: number) => {
      const { virtualizer, total } = latest.current;
      const at = focusedRow();
      const next = at === null ? (virtualizer.range?.startIndex ?? 0) : at + by;
      if (next >= 0 && next < total) focusRow(virtualizer, next);
    };
    const focused = (): { item: Item; index: number } | null => {
      const index = focusedRow();
      const item = index === null ? undefined : latest.current.itemAt(index);
      return index === null || item === undefined ? null : { item, index };
    };
    const choose = () => {
      const { selection } = latest.current;
      const row = focused();
      if (row) selection?.choose(row.item, row.index, !selection.chosen.has(row.item.id), false);
    };
    const edit = () => {
      const row = focused();
      const path = row && latest.current.list.editPathOf?.(row.item);
      if (path) void router.navigate({ to: path });
    };
    const choosing: Shortcut = { keys: "x", text: t("keys.select"), group: "page", run: choose };
    const editing: Shortcut = { keys: "e", text: t("keys.edit"), group: "page", run: edit };
    return [
      { keys: "j", text: t("keys.next"), group: "page", run: () => step(1) },
      { keys: "k", text: t("keys.previous"), group: "page", run: () => step(-1) },
      ...(canChoose ? [choosing] : []),
      ...(canEdit ? [editing] : []),
    ];
  }, [router, t, canChoose, canEdit]);
  useShortcuts(shortcuts);
}

/** The place of the row that has the focus, or something in it. */
export function focusedRow(): number | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-index]");
  return row ? Number(row.dataset.index) : null;
}

/** Frames to wait for a row that has to be read first: about two seconds. */
const maxFrames = 120;

/** Brings the row into sight; it takes the focus as soon as it is there, unless the reader has gone elsewhere. */
function focusRow(virtualizer: Virtualizer<Window, Element>, index: number): void {
  virtualizer.scrollToIndex(index);
  const from = document.activeElement;
  const tryFor = (frames: number) => {
    const link = document.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-link]`);
    if (link) link.focus({ preventScroll: true });
    else if (frames > 0 && (document.activeElement === from || document.activeElement === document.body))
      requestAnimationFrame(() => tryFor(frames - 1));
  };
  tryFor(maxFrames);
}
