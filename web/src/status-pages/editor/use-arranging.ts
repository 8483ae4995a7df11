import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { listOf, moveGroupTo, moveTo, type Spot, spotOf, step, stepGroup } from "./arrange.ts";
import type { DraftComponent, PageDraft } from "./page-draft.ts";

/** What visitors read of a component; of a new one without a name, its monitor's. */
export const nameOf = ({ displayName, monitorName }: DraftComponent): string =>
  displayName.trim() || monitorName || "–";

interface ArrangingState {
  /** The id of the sentence that says which keys a handle knows. */
  hint: string;
  /** What is wrong, by the keys of components and groups. */
  problems: ReadonlyMap<string, Readonly<Record<string, string[]>>>;
  /** A save was refused because of them; null: none was. */
  refusal: Error | null;
  /** Those whose names reveal an address to visitors, by their keys. */
  revealing: readonly string[];
}

/** Puts components and groups elsewhere; says where they went, and keeps the focus at what was moved. */
export function useArranging(
  draft: PageDraft,
  onChange: (draft: PageDraft) => void,
  { hint, problems, refusal, revealing }: ArrangingState,
) {
  const { t } = useTranslation("status-pages/editor");
  const [said, setSaid] = useState("");
  /** What gets the focus once it is there. */
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    if (awaited.current === null) return;
    document.querySelector<HTMLElement>(awaited.current)?.focus();
    awaited.current = null;
  });
  const awaitFocus = (selector: string) => {
    awaited.current = selector;
  };
  const apply = (next: PageDraft, key: string, words: string) => {
    if (next === draft) return setSaid(t("said.end"));
    awaitFocus(`[data-handle="${key}"]`);
    setSaid(words);
    onChange(next);
  };
  const { place, placeOfGroup } = useWordsOfPlaces();
  return {
    ...{ draft, hint, problems, refusal, revealing, said, awaitFocus },
    moveTo: (key: string, spot: Spot) => {
      const next = moveTo(draft, key, spot);
      apply(next, key, place(next, key));
    },
    stepBy: (key: string, by: 1 | -1) => {
      const next = step(draft, key, by);
      apply(next, key, place(next, key));
    },
    moveGroupTo: (key: string, to: number) => {
      const next = moveGroupTo(draft, key, to);
      apply(next, key, placeOfGroup(next, key));
    },
    stepGroupBy: (key: string, by: 1 | -1) => {
      const next = stepGroup(draft, key, by);
      apply(next, key, placeOfGroup(next, key));
    },
    /** Another change of the draft; `words`: what is said of it to those who do not see it. */
    edit: (change: (draft: PageDraft) => PageDraft, words = "") => {
      setSaid(words);
      onChange(change(draft));
    },
  };
}

export type Arranging = ReturnType<typeof useArranging>;

/** A place, in words. */
function useWordsOfPlaces() {
  const { t } = useTranslation("status-pages/editor");
  return {
    place: (draft: PageDraft, key: string) => {
      const spot = spotOf(draft, key);
      const own = spot ? listOf(draft, spot.list) : [];
      const component = spot && own[spot.at];
      if (!component) return "";
      const group = draft.groups.find((one) => one.key === spot.list);
      const list = group ? group.name || t("contents.unnamed") : t("contents.noGroup");
      return t("said.moved", { name: nameOf(component), at: spot.at + 1, count: own.length, list });
    },
    placeOfGroup: (draft: PageDraft, key: string) => {
      const at = draft.groups.findIndex((group) => group.key === key);
      const name = draft.groups[at]?.name || t("contents.unnamed");
      return t("said.movedGroup", { name, at: at + 1, count: draft.groups.length });
    },
  };
}
