import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DeviceLists, type ListName, listQuery, type ReportedList } from "../../api/device-lists.ts";
import { Section } from "../../components/Card.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { LongTable } from "../../components/LongTable.tsx";
import { RangePicker } from "../../components/RangePicker.tsx";
import { useDebounced, useNow } from "../../components/use-now.ts";
import { formatClock, formatDateTime } from "../../i18n/format.ts";
import { SearchBox } from "../../list/ListFilters.tsx";
import { arrange, useListColumns, usualSorts } from "./list-columns.ts";

const names = ["processes", "network", "applications", "containers", "changes"] as const;

export function ListsCard({ id }: { id: number }) {
  const { t } = useTranslation("monitors/device");
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const name = names.find((one) => one === search.list) ?? "processes";
  const choose = (next: ListName) =>
    void navigate({
      to: ".",
      search: (was) => ({ ...was, list: next === "processes" ? undefined : next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Section
      title={t("lists.title")}
      trailing={
        <div className="max-w-full overflow-x-auto">
          <div className="w-max">
            <RangePicker
              label={t("lists.label")}
              options={names}
              value={name}
              textOf={(one) => ({ short: t(`lists.tab.${one}`), long: t(`lists.tab.${one}`) })}
              onPick={choose}
            />
          </div>
        </div>
      }
    >
      <ReportedItems key={name} id={id} name={name} />
    </Section>
  );
}

function ReportedItems({ id, name }: { id: number; name: ListName }) {
  const { t } = useTranslation("monitors/device");
  const query = useQuery(listQuery(id, name));
  return (
    <div className="px-4 pt-1 pb-4">
      <Loaded
        of={query}
        failed={t("lists.failed")}
        loading={<Skeleton className="my-3 h-3 w-56" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Nothing name={name} isReported={name === "changes" || query.data?.at != null} />}
      >
        {(list) => <Items name={name} list={list} />}
      </Loaded>
    </div>
  );
}

function Nothing({ name, isReported }: { name: ListName; isReported: boolean }) {
  const { t } = useTranslation("monitors/device");
  return <p className="py-3 text-ink-faint">{t(isReported ? `lists.none.${name}` : "lists.never")}</p>;
}

/** As fast as anybody types. */
const typingMs = 120;

interface ItemsProps {
  name: ListName;
  list: ReportedList<DeviceLists[ListName]>;
}

function Items({ name, list: { items, at, found } }: ItemsProps) {
  const { t, i18n } = useTranslation("monitors/device");
  const { language } = i18n;
  const [typed, setTyped] = useState("");
  const [sort, setSort] = useState(usualSorts[name]);
  const search = useDebounced(typed.trim(), typingMs);
  const columns = useListColumns(name);
  const rows = useMemo(
    () => arrange(items, columns, { search, sort, language }),
    [items, columns, search, sort, language],
  );
  const now = useNow();
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-sm text-ink-muted tabular-nums">
          {found > items.length && search === ""
            ? t("lists.found", { count: found })
            : t("lists.count", { count: rows.length })}
          {at !== null && (
            <span title={formatDateTime(at, language)} className="text-ink-faint">
              {" · "}
              {t("lists.at", { time: formatClock(Date.parse(at), now, language) })}
            </span>
          )}
        </p>
        <SearchBox label={t(`lists.search.${name}`)} search={typed} onSearch={setTyped} />
      </div>
      {rows.length === 0 ? (
        <p className="py-3 text-ink-faint wrap-anywhere">{t("lists.nothing", { text: search })}</p>
      ) : (
        <LongTable
          label={t(`lists.tab.${name}`)}
          columns={columns}
          rows={rows}
          keyOf={(_, index) => index}
          sort={sort}
          onSort={setSort}
        />
      )}
    </>
  );
}
