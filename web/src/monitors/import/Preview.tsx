import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isNoted } from "../../../../server/src/monitors/schemas/import-client.ts";
import type { ImportEntry, ImportResult } from "../../api/imports.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { formatCount } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { monitorKinds } from "../../kinds.ts";
import { EntryRow } from "./EntryRow.tsx";

interface PreviewProps {
  result: ImportResult;
  running: boolean;
  onRun: () => void;
  onStop: () => void;
}

/** More would take long to draw, and are too many to read at once. */
const shownAtOnce = 200;
const groups = ["create", "created", "duplicate", "invalid", "over_quota"] as const;
type Group = (typeof groups)[number] | "noted";

/** What becomes of each entry of a file, and the button that makes it so. */
export function Preview({ result, running, onRun, onStop }: PreviewProps) {
  const { t, i18n } = useTranslation("monitors/import");
  const { entries, notes, total } = result;
  const [group, setGroup] = useState<Group | null>(null);
  const [most, setMost] = useState(shownAtOnce);
  const counts = useMemo(() => countsOf(entries), [entries]);
  const fitting = group === null ? entries : entries.filter((entry) => isIn(entry, group));
  const left = counts.create ?? 0;
  const made = counts.created ?? 0;
  const show = (wanted: Group) => {
    setGroup(wanted === group ? null : wanted);
    setMost(shownAtOnce);
  };
  return (
    <section aria-label={t("result")} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {[...groups, "noted" as const]
          .filter((one) => counts[one] !== undefined)
          .map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === group}
              onClick={() => show(one)}
              className="rounded-md border border-line px-2.5 py-1 text-sm text-ink-muted transition-colors hover:bg-hover aria-pressed:border-line-strong aria-pressed:bg-hover aria-pressed:text-ink"
            >
              {one === "noted" ? t("noted") : t(`outcome.${one}`)}{" "}
              <span className="tabular-nums">{formatCount(counts[one] ?? 0, i18n.language)}</span>
            </button>
          ))}
        <div className="ml-auto flex items-center gap-3">
          <span role="status" className="text-sm text-ink-muted">
            {running
              ? t("running", { through: total - left, total })
              : made > 0 && t("done", { count: made })}
          </span>
          {running ? (
            <Button variant="quiet" onClick={onStop}>
              {t("stop")}
            </Button>
          ) : left > 0 ? (
            <Button onClick={onRun}>{t("run", { count: left })}</Button>
          ) : (
            madeKinds(entries).map(({ id, pages }) => (
              <ButtonLink key={id} to={pages.list}>
                {t(`open.${id}`)}
              </ButtonLink>
            ))
          )}
        </div>
      </div>
      {notes.length > 0 && (
        <ul className="text-sm text-ink-muted">
          {notes.map(({ message, fact }) => (
            <li key={message}>{translateMessage(message, fact)}</li>
          ))}
        </ul>
      )}
      <Card>
        <ul className="divide-y divide-line">
          {fitting.slice(0, most).map((entry) => (
            <EntryRow key={entry.index} entry={entry} />
          ))}
        </ul>
      </Card>
      {fitting.length > most && (
        <Button variant="quiet" className="justify-self-center" onClick={() => setMost(most + 1000)}>
          {t("more", { count: fitting.length - most })}
        </Button>
      )}
    </section>
  );
}

/** Whether an entry is of a group; `noted`: it is imported, but not with all that the file says of it. */
const isIn = (entry: ImportEntry, group: Group): boolean =>
  group === "noted" ? isNoted(entry) : entry.outcome === group;

function countsOf(entries: readonly ImportEntry[]): Partial<Record<Group, number>> {
  const counts: Partial<Record<Group, number>> = {};
  for (const entry of entries)
    for (const group of [entry.outcome, "noted"] as const)
      if (isIn(entry, group)) counts[group] = (counts[group] ?? 0) + 1;
  return counts;
}

/** The kinds of monitor of which some have been made; devices are in no file. */
const madeKinds = (entries: readonly ImportEntry[]) =>
  [monitorKinds.domain, monitorKinds.service].filter(({ id }) =>
    entries.some(({ kind, outcome }) => outcome === "created" && kind === id),
  );
