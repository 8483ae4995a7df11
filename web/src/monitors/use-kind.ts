import type { ParseKeys } from "i18next";
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../api/monitor-list.ts";
import type { MonitorKind } from "../kinds.ts";

const Kind = createContext<MonitorKind | null>(null);

/** Says to what stands inside which kind of monitor it is about. */
export const KindProvider = Kind;

/** The kind of monitor that the page is about. Throws where the page does not say it. */
export function useKind(): MonitorKind {
  const kind = use(Kind);
  if (!kind) throw new Error("The page does not say which kind of monitor it is about.");
  return kind;
}

/** What is said of the kind. */
export const useKindTexts = () => useTranslation(useKind().texts).t;

/**
 * What is said of a monitor: where what reports of it has words of its own (`own` among the kind's texts), in those.
 * Undefined: of all of the kind.
 */
export function useMonitorTexts(monitor: Monitor | undefined) {
  const { texts, typeOf } = useKind();
  const { t, i18n } = useTranslation("monitors");
  const type = typeOf(monitor ?? { name: "" });
  return (key: ParseKeys<"monitors">, values: Record<string, unknown> = {}): string => {
    const own = `${texts}:own.${type}.${key}`;
    return t(i18n.exists(own, values) ? (own as typeof key) : key, values);
  };
}

/** What is said of the kind's settings. */
export const useKindFormTexts = () => useTranslation(useKind().formTexts).t;
