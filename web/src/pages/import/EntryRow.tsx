import { Check, CircleAlert, type LucideIcon, Minus, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ImportEntry } from "../../api/imports.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";

const looks: Record<ImportEntry["outcome"], { icon: LucideIcon; className: string }> = {
  create: { icon: Plus, className: "text-up-ink" },
  created: { icon: Check, className: "text-up-ink" },
  duplicate: { icon: Minus, className: "text-ink-faint" },
  invalid: { icon: CircleAlert, className: "text-down-ink" },
  over_quota: { icon: CircleAlert, className: "text-down-ink" },
};

/** One entry of a file: where it stands, what it is, what becomes of it and why. */
export function EntryRow({ entry }: { entry: ImportEntry }) {
  const { t } = useTranslation("import");
  const { outcome, line, index, name, type, target, problems, notes } = entry;
  const { icon: Icon, className } = looks[outcome];
  const isFault = outcome === "invalid" || outcome === "over_quota";
  return (
    <li className="flex gap-3 px-4 py-2.5 text-sm">
      <span className="w-12 shrink-0 pt-px text-right text-xs text-ink-faint tabular-nums">
        {line === null ? t("entry", { number: index + 1 }) : t("line", { number: line })}
      </span>
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="sr-only">{t(`outcome.${outcome}`)}:</span>
          <span className="font-medium wrap-anywhere">{name ?? target ?? t("unnamed")}</span>
          {type && <span className="text-xs text-ink-faint uppercase">{type}</span>}
          {target && target !== name && <span className="text-ink-muted wrap-anywhere">{target}</span>}
        </p>
        {problems.map(({ field, message, fact }) => (
          <p
            key={field + message}
            className={`wrap-anywhere ${isFault ? "text-down-ink" : "text-ink-muted"}`}
          >
            {factInReadersLanguage(message, fact)}
          </p>
        ))}
        {notes.map(({ message, fact }) => (
          <p key={message} className="text-ink-muted wrap-anywhere">
            {factInReadersLanguage(message, fact)}
          </p>
        ))}
      </div>
    </li>
  );
}
