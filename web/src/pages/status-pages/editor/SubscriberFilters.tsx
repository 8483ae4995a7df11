import { useTranslation } from "react-i18next";
import type { Subscriber, SubscribersView } from "../../../api/subscribers.ts";
import { Select } from "../../../forms/Select.tsx";
import { ListFilters } from "../../../list/ListFilters.tsx";
import { SearchBox } from "../../../list/SearchBox.tsx";

const kinds = ["email", "webhook", "slack"] as const satisfies readonly Subscriber["kind"][];
const states = ["active", "waiting", "ended"] as const satisfies readonly Subscriber["state"][];

/** Which of a page's subscribers are looked at. */
export interface SubscriberFilter extends Pick<SubscribersView, "kind" | "state"> {
  /** In the search box. */
  typed: string;
}

export const noFilter: SubscriberFilter = { typed: "" };

interface SubscriberFiltersProps {
  filter: SubscriberFilter;
  onChange: (filter: SubscriberFilter) => void;
}

/** Narrows the list by address, by how they are told, and by whether they are. */
export function SubscriberFilters({ filter, onChange }: SubscriberFiltersProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <div className="px-4 pt-2">
      <ListFilters
        active={[filter.kind, filter.state].filter((one) => one !== undefined).length}
        search={
          <SearchBox
            label={t("subscribers.search")}
            search={filter.typed}
            onSearch={(typed) => onChange({ ...filter, typed })}
          />
        }
      >
        <Select
          aria-label={t("subscribers.kindLabel")}
          className="w-44!"
          value={filter.kind ?? ""}
          options={[
            ["", t("subscribers.anyKind")],
            ...kinds.map((one) => [one, t(`subscribers.kind.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, kind: kinds.find((one) => one === next) })}
        />
        <Select
          aria-label={t("subscribers.stateHead")}
          className="w-52!"
          value={filter.state ?? ""}
          options={[
            ["", t("subscribers.anyState")],
            ...states.map((one) => [one, t(`subscribers.state.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, state: states.find((one) => one === next) })}
        />
      </ListFilters>
    </div>
  );
}
