import { useTranslation } from "react-i18next";
import type { Service } from "../../api/monitor-list.ts";
import { SiteLink } from "../StatusText.tsx";

interface TargetProps {
  service: Pick<Service, "protocol" | "target">;
  /** On its page and in lists it leads to where a browser can go; `text`: it is only read. */
  where: "page" | "list" | "text";
}

/** What is spoken, and with whom: "PostgreSQL · db.example.com:5432". */
export function Target({ service: { protocol, target }, where }: TargetProps) {
  const { spoken, all } = useTargetWords(protocol, target);
  const look = where === "page" ? "text-sm text-ink-muted" : "text-xs text-ink-faint";
  if (protocol === "http" && where !== "text") {
    return (
      <div className={`flex min-w-0 gap-1 ${look}`}>
        <span className="whitespace-nowrap">{spoken} ·</span>
        <SiteLink url={target} inList={where === "list"} />
      </div>
    );
  }
  return (
    <div className={`truncate ${look}`} title={target}>
      {all}
    </div>
  );
}

/** What is spoken, as people call it, and together with whom. */
export function useTargetWords(protocol: string, target: string): { spoken: string; all: string } {
  const { t, i18n } = useTranslation("monitors/service");
  const spoken = t(`field.protocol.choice.${protocol as "tcp"}`, protocol);
  const own = `own.${protocol}.target.${target}` as "own.group.target.all";
  const shown = i18n.exists(`monitors/service:${own}`) ? t(own) : target;
  // A heartbeat has no target.
  return { spoken, all: target === protocol ? spoken : `${spoken} · ${shown}` };
}
