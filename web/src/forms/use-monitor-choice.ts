import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { firstMonitorsQuery, namedQuery, type SearchResult, searchQuery } from "../api/search.ts";
import { useDebounced } from "../components/use-now.ts";
import { monitorKinds } from "../kinds.ts";

/** Keystrokes within this time are one search. */
const quietMs = 150;
/** Of those that are offered while nothing is typed, as many as are seen without scrolling. */
const MAX_LISTED = 8;
/** Of monitors; incidents are found, too. */
const allKinds: readonly string[] = Object.keys(monitorKinds);
/** No option is pointed at: Enter is for the form. */
const nothing = -1;

interface WhatMayBeChosen {
  /** Monitors that cannot be chosen. */
  others?: readonly string[];
  /** Default: all. */
  kinds?: readonly string[] | undefined;
}

/** Monitors by what was typed, as far as they may be chosen; and what is known of those that are chosen. */
export function useMonitorChoice(
  chosen: readonly string[],
  onChange: (uuids: readonly string[]) => void,
  { others = [], kinds = allKinds }: WhatMayBeChosen = {},
) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(nothing);
  /** Whether the first monitors are offered while nothing is typed. */
  const [isOpen, setOpen] = useState(false);
  /** Those that were chosen here need not be fetched. */
  const [met, setMet] = useState<ReadonlyMap<string, SearchResult>>(new Map());
  const text = typed.trim();
  const wanted = useDebounced(text, quietMs);
  const search = useQuery(searchQuery(text === "" ? "" : wanted));
  const first = useQuery(firstMonitorsQuery(isOpen && text === ""));
  const known = useQuery(namedQuery(chosen.filter((uuid) => !met.has(uuid))));
  const named = new Map([...met, ...(known.data ?? []).map((one) => [one.uuid, one] as const)]);
  const canBeChosen = ({ kind, uuid }: SearchResult) =>
    kinds.includes(kind) && !others.includes(uuid) && !chosen.includes(uuid);
  const listed = isOpen ? (first.data ?? []) : [];
  const options =
    text === "" ? listed.filter(canBeChosen).slice(0, MAX_LISTED) : (search.data ?? []).filter(canBeChosen);
  const active = options[Math.min(at, options.length - 1)];
  const type = (next: string) => {
    setTyped(next);
    setAt(next === "" ? nothing : 0);
    setOpen(next !== "");
  };
  const choose = (one: SearchResult) => {
    setMet(new Map(met).set(one.uuid, one));
    type("");
    onChange([...chosen, one.uuid]);
  };
  const remove = (uuid: string) => onChange(chosen.filter((other) => other !== uuid));
  const keys: Record<string, () => void> = {
    ArrowDown: () => setAt((at + 1) % Math.max(options.length, 1)),
    ArrowUp: () => setAt((Math.max(at, 0) + options.length - 1) % Math.max(options.length, 1)),
    Enter: () => active && choose(active),
    Escape: () => type(""),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = chosen.at(-1);
    if (event.key === "Backspace" && typed === "" && last !== undefined) remove(last);
    if (event.key === "ArrowDown" && text === "" && !isOpen) {
      event.preventDefault();
      return setOpen(true);
    }
    const isOffered = text !== "" || (options.length > 0 && (event.key !== "Enter" || active !== undefined));
    const act = isOffered ? keys[event.key] : undefined;
    if (!act) return;
    event.preventDefault();
    act();
  };
  return {
    chosen,
    isOfAllKinds: kinds === allKinds,
    typed,
    text,
    type,
    named,
    isKnown: known.data !== undefined || !known.isEnabled,
    options,
    active,
    isUpToDate: wanted === text && !search.isFetching,
    isFailed: search.isError,
    isOpen: text !== "" || options.length > 0,
    open: () => setOpen(true),
    close: () => setOpen(false),
    point: setAt,
    choose,
    remove,
    onKeyDown,
  };
}

export type MonitorChoice = ReturnType<typeof useMonitorChoice>;
