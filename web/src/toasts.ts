import { useSyncExternalStore } from "react";
import type { MonitorKind } from "./kinds.ts";

export type ToastTone = "error" | "warning" | "success" | "info";

export interface ToastMessage {
  id: number;
  tone: ToastTone;
  text: string;
  action?: ToastAction;
  /** What it is about: pressing the text leads there. */
  monitor?: { kind: MonitorKind; id: number };
  /** Toasts of one kind; a later one can replace all of them. */
  group?: string;
}

/** What can be done about it; pressing it takes the toast away. */
export interface ToastAction {
  label: string;
  run: () => void;
}

/** More than this would hide the page they are about. */
const mostShown = 3;
const shownMs = 6_000;

let toasts: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** `lastsMs`: without it, what went wrong with something that the reader did stays until dismissed. */
interface ToastOptions extends Pick<ToastMessage, "action" | "monitor" | "group"> {
  lastsMs?: number;
  /** Takes the others of its group away. */
  insteadOfGroup?: boolean;
}

export function showToast(tone: ToastTone, text: string, options: ToastOptions = {}): void {
  const { lastsMs = tone === "error" ? null : shownMs, insteadOfGroup = false, ...more } = options;
  const id = ++lastId;
  const replaced = (toast: ToastMessage) => insteadOfGroup && toast.group === more.group;
  const others = toasts.filter((toast) => toast.text !== text && !replaced(toast));
  update([...others, { id, tone, text, ...more }].slice(-mostShown));
  if (lastsMs !== null) setTimeout(() => dismissToast(id), lastsMs);
}

/** Takes a toast away; nothing happens if it has already gone. */
export function dismissToast(id: number): void {
  update(toasts.filter((toast) => toast.id !== id));
}

export function useToasts(): readonly ToastMessage[] {
  return useSyncExternalStore(subscribe, () => toasts);
}

function update(next: readonly ToastMessage[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
