import { Link } from "@tanstack/react-router";
import { Check, CircleAlert, type LucideIcon, Minus, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ImportEntry } from "../../api/imports.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { kindOf } from "../../kinds.ts";
import { useTargetWords } from "../service/Target.tsx";

type NoteMessage = NonNullable<ImportEntry["notes"][number]["fact"]>;

const looks: Record<ImportEntry["outcome"], { icon: LucideIcon; className: string }> = {
  create: { icon: Plus, className: "text-up-ink" },
  created: { icon: Check, className: "text-up-ink" },
  duplicate: { icon: Minus, className: "text-ink-faint" },
  invalid: { icon: CircleAlert, className: "text-down-ink" },
  over_quota: { icon: CircleAlert, className: "text-down-ink" },
};

/** One entry of a file: its line, what it is, what becomes of it and why. */
export function EntryRow({ entry }: { entry: ImportEntry }) {
  const { t } = useTranslation("monitors/import");
  const { outcome, line, index, name, type, target, problems, notes } = entry;
  const labelOf = useFieldLabel(entry);
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
          <EntryName entry={entry} />
          {type && <Checked type={type} target={target === name ? null : target} />}
        </p>
        {problems.map(({ field, message, fact }) => (
          <p
            key={field + message}
            className={`wrap-anywhere ${isFault ? "text-down-ink" : "text-ink-muted"}`}
          >
            {withLabel(labelOf(field), translateMessage(message, fact, field))}
          </p>
        ))}
        {notes.map(({ message, fact }) => (
          <p key={message} className="text-ink-muted wrap-anywhere">
            {translateMessage(message, fact && named(fact, labelOf))}
          </p>
        ))}
      </div>
    </li>
  );
}

/** "Check interval: Must be a number." */
const withLabel = (label: string | undefined, sentence: string): string =>
  label === undefined ? sentence : `${label}: ${sentence}`;

/** A note with the app's name of the setting that it is about, where the app has one. */
function named(descriptor: NoteMessage, labelOf: (field: string) => string | undefined): NoteMessage {
  const setting = descriptor.params?.["setting"];
  const label = typeof setting === "string" ? labelOf(setting) : undefined;
  return label === undefined
    ? descriptor
    : { ...descriptor, params: { ...descriptor.params, setting: label } };
}

/** What it is called, and the way to it once it is there: a heartbeat's new address is on its page. */
function EntryName({ entry: { name, target, kind, id } }: { entry: ImportEntry }) {
  const { t } = useTranslation("monitors/import");
  const shown = name ?? target ?? t("unnamed");
  const pages = kindOf(kind)?.pages;
  if (id === null || !pages) return <span className="font-medium wrap-anywhere">{shown}</span>;
  return (
    <Link
      to={pages.one}
      params={{ id: String(id) }}
      className="font-medium wrap-anywhere underline decoration-line-strong underline-offset-2 hover:decoration-ink"
    >
      {shown}
    </Link>
  );
}

/** What is checked, by what name people know the kind of check. */
function Checked({ type, target }: { type: string; target: string | null }) {
  const { spoken, all } = useTargetWords(type, target ?? type);
  return <span className="text-ink-muted wrap-anywhere">{target === null ? spoken : all}</span>;
}

/** As the form of such a monitor does: `protocolConfig.port` of a TCP service is its port. Undefined: in no form. */
function useFieldLabel({ kind, type }: Pick<ImportEntry, "kind" | "type">) {
  const { t, i18n } = useTranslation([
    "monitors/import",
    "monitors/form",
    "monitors/domain/form",
    "monitors/service/form",
  ]);
  return (field: string): string | undefined => {
    const parts = field.split(".");
    // Of values within a setting the setting is named.
    for (let count = parts.length; count > 0; count -= 1) {
      const name = placesOf(kind, type, parts.slice(0, count)).find((one) => i18n.exists(one));
      if (name) return t(name as "monitors/form:field.tags.label");
    }
    return undefined;
  };
}

function placesOf(kind: ImportEntry["kind"], type: string | null, path: readonly string[]): string[] {
  const field = path.join(".");
  const [first, ...rest] = path;
  const ofKind = kind === "service" ? "monitors/service/form" : "monitors/domain/form";
  const own =
    first === "protocolConfig"
      ? [`monitors/service/form:protocol.${type ?? ""}.${rest.join(".")}.label`]
      : [];
  return [...own, `${ofKind}:field.${field}.label`, `monitors/form:field.${field}.label`];
}
