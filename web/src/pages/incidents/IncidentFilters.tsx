import { Search } from "lucide-react";
import { useId, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type IncidentFilter, incidentFilters, severities } from "../../api/incident-list.ts";
import { type Severity } from "../../api/incidents.ts";
import { type Shortcut, useShortcuts } from "../../components/shortcuts.ts";
import { MonitorChooser } from "../../forms/MonitorChooser.tsx";
import { Select } from "../../forms/Select.tsx";
import { useMonitorChoice } from "../../forms/use-monitor-choice.ts";
import type { IncidentSearch } from "./incident-search.ts";

interface IncidentFiltersProps {
  shown: IncidentSearch;
  /** `isTyped`: somebody is typing, and the address changes in place. */
  onShow: (next: IncidentSearch, isTyped?: boolean) => void;
}

/** Which incidents the list shows: by how they stand, severity, monitor and part of their title. */
export function IncidentFilters({ shown, onShow }: IncidentFiltersProps) {
  const { t } = useTranslation("incidents");
  const { which = "active", q = "", severity = "", monitor } = shown;
  return (
    <div className="mb-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <States filter={which} onFilter={(next) => onShow({ which: next === "active" ? undefined : next })} />
        <SearchBox search={q} onSearch={(next) => onShow({ q: next || undefined }, true)} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Select
          aria-label={t("column.severity")}
          className="max-sm:max-w-none"
          value={severity}
          options={[
            ["", t("filter.severity")],
            ...severities.map((one) => [one, t(`severity.${one}`)] as const),
          ]}
          onChange={(next) => onShow({ severity: (next || undefined) as Severity | undefined })}
        />
        <MonitorBox monitor={monitor} onMonitor={(next) => onShow({ monitor: next })} />
      </div>
    </div>
  );
}

interface StatesProps {
  filter: IncidentFilter;
  onFilter: (filter: IncidentFilter) => void;
}

function States({ filter, onFilter }: StatesProps) {
  const { t } = useTranslation("incidents");
  return (
    <div
      role="group"
      aria-label={t("filter.label")}
      className="fading -mx-1 flex max-w-full min-w-0 flex-1 gap-0.5 overflow-x-auto px-1 py-1 [scrollbar-width:none]"
    >
      {incidentFilters.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === filter}
          onClick={() => onFilter(name)}
          className="h-8 shrink-0 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
        >
          {t(`filter.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** `/` puts the cursor here from anywhere on the page; Escape empties it. */
function SearchBox({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const { t } = useTranslation("incidents");
  const box = useRef<HTMLInputElement>(null);
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "/", text: t("search"), group: "page", run: () => box.current?.focus() }],
    [t],
  );
  useShortcuts(shortcuts);
  return (
    <div className="relative w-full sm:w-68">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        ref={box}
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        aria-keyshortcuts="/"
        value={search}
        maxLength={255}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && onSearch("")}
        className="control appearance-none pl-9"
      />
    </div>
  );
}

interface MonitorBoxProps {
  /** Its uuid. */
  monitor: string | undefined;
  onMonitor: (uuid: string | undefined) => void;
}

/** One monitor, in the box that chooses several elsewhere: another one takes its place. */
function MonitorBox({ monitor, onMonitor }: MonitorBoxProps) {
  const { t } = useTranslation("incidents");
  const id = useId();
  const chosen = useMemo(() => (monitor === undefined ? [] : [monitor]), [monitor]);
  const choice = useMonitorChoice(chosen, (uuids) => onMonitor(uuids.at(-1)));
  return (
    <div className="grid max-w-lg min-w-0 gap-1.5 max-sm:max-w-none">
      <MonitorChooser
        control={{ id, "aria-label": t("filter.monitor") }}
        label={t("filter.monitor")}
        placeholder={t("filter.monitor")}
        isWrong={false}
        choice={choice}
      />
    </div>
  );
}
