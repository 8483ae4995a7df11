import { useTranslation } from "react-i18next";
import { SUBSCRIBER_KINDS, SUBSCRIBER_STATES } from "../../../../server/src/page/subscriber/kinds.ts";
import type { SubscribersView } from "../../api/subscribers.ts";
import { Select } from "../../forms/Select.tsx";
import { ListFilters } from "../../list/ListFilters.tsx";
import { SearchBox } from "../../list/SearchBox.tsx";

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
            ...SUBSCRIBER_KINDS.map((one) => [one, t(`subscribers.kind.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, kind: SUBSCRIBER_KINDS.find((one) => one === next) })}
        />
        <Select
          aria-label={t("subscribers.stateHead")}
          className="w-52!"
          value={filter.state ?? ""}
          options={[
            ["", t("subscribers.anyState")],
            ...SUBSCRIBER_STATES.map((one) => [one, t(`subscribers.state.${one}`)] as const),
          ]}
          onChange={(next) => onChange({ ...filter, state: SUBSCRIBER_STATES.find((one) => one === next) })}
        />
      </ListFilters>
    </div>
  );
}
