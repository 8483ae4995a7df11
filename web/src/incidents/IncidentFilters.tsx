import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { incidentFilters, severities } from "../api/incident-list.ts";
import { type Severity } from "../api/incidents.ts";
import { MonitorChooser } from "../forms/MonitorChooser.tsx";
import { Select } from "../forms/Select.tsx";
import { useMonitorChoice } from "../forms/use-monitor-choice.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import { ListFilters } from "../list/ListFilters.tsx";
import { SearchBox } from "../list/SearchBox.tsx";
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
  const active = [which !== "active", severity !== "", monitor !== undefined].filter(Boolean).length;
  return (
    <ListFilters
      active={active}
      views={
        <FilterButtons
          label={t("filter.label")}
          names={incidentFilters}
          chosen={which}
          onChoose={(next) => onShow({ which: next === "active" ? undefined : next })}
          className="flex-1"
        >
          {(name) => t(`filter.${name}`)}
        </FilterButtons>
      }
      search={
        <SearchBox
          label={t("search")}
          search={q}
          onSearch={(next) => onShow({ q: next || undefined }, true)}
        />
      }
    >
      <div className="grid w-full grid-cols-[minmax(0,1fr)] items-start gap-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
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
    </ListFilters>
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
