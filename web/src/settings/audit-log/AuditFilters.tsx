import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { auditActions } from "../../../../server/src/accounts/schemas/audit-actions.ts";
import type { AuditFilter } from "../../api/audit-search.ts";
import { membersQuery } from "../../api/organization.ts";
import { Button } from "../../components/Button.tsx";
import { Select } from "../../forms/Select.tsx";
import { ListFilters } from "../../list/ListFilters.tsx";

interface AuditFiltersProps {
  organizationId: number;
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

export function AuditFilters({ organizationId, filter, onFilter }: AuditFiltersProps) {
  const { t } = useTranslation("settings/audit-log");
  const say = useActionWords();
  const members = useQuery(membersQuery(organizationId)).data ?? [];
  const people = members.map(({ id, name }) => [String(id), name] as const);
  const { person, action } = filter;
  // Who has left is not in the list, but may be in the address.
  if (person !== undefined && !members.some(({ id }) => id === person)) {
    people.push([String(person), t("filter.former", { id: person })]);
  }
  const actions = auditActions
    .map((one) => [one, say(one)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));
  const change = (changed: AuditFilter) => onFilter({ ...filter, ...changed });
  const active = Object.values(filter).filter((value) => value !== undefined).length;
  return (
    <ListFilters active={active}>
      <div
        role="search"
        className="mb-1 grid w-full grid-cols-2 items-end gap-3 lg:grid-cols-3 2xl:grid-cols-[1fr_1fr_1fr_9rem_9rem_auto]"
      >
        <Labelled label={t("filter.person")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none"
              value={String(person ?? "")}
              options={[["", t("filter.everybody")], ...people]}
              onChange={(value) => change({ person: value === "" ? undefined : Number(value) })}
            />
          )}
        </Labelled>
        <Labelled label={t("filter.action")}>
          {(id) => (
            <Select
              id={id}
              className="max-w-none"
              value={action ?? ""}
              options={[["", t("filter.everything")], ...actions]}
              onChange={(value) => change({ action: value || undefined })}
            />
          )}
        </Labelled>
        <SubjectBox
          subject={filter.subject ?? ""}
          onSubject={(subject) => change({ subject: subject || undefined })}
        />
        <DayBox label={t("filter.from")} day={filter.from} onDay={(from) => change({ from })} />
        <DayBox label={t("filter.to")} day={filter.to} onDay={(to) => change({ to })} />
        <Button variant="quiet" disabled={active === 0} onClick={() => onFilter({})}>
          {t("filter.clear")}
        </Button>
      </div>
    </ListFilters>
  );
}

interface LabelledProps {
  label: string;
  className?: string;
  children: (id: string) => ReactNode;
}

function Labelled({ label, className = "", children }: LabelledProps) {
  const id = useId();
  return (
    <div className={`grid min-w-0 gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs text-ink-muted">
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function SubjectBox({ subject, onSubject }: { subject: string; onSubject: (subject: string) => void }) {
  const { t } = useTranslation("settings/audit-log");
  return (
    <Labelled label={t("filter.subject")} className="max-lg:col-span-2">
      {(id) => (
        <input
          id={id}
          type="search"
          maxLength={255}
          value={subject}
          onChange={(event) => onSubject(event.target.value)}
          className="control"
        />
      )}
    </Labelled>
  );
}

function DayBox({
  label,
  day,
  onDay,
}: {
  label: string;
  day: string | undefined;
  onDay: (day: string | undefined) => void;
}) {
  return (
    <Labelled label={label}>
      {(id) => (
        <input
          id={id}
          type="date"
          value={day ?? ""}
          onChange={(event) => onDay(event.target.value || undefined)}
          className="control"
        />
      )}
    </Labelled>
  );
}

type AuditAction = (typeof auditActions)[number];

const isKnown = (action: string): action is AuditAction =>
  (auditActions as readonly string[]).includes(action);

type Dashed<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Dashed<`${Word}-${Rest}`>
  : Text;
const keyOf = <Action extends AuditAction>(action: Action) => action.replaceAll(" ", "-") as Dashed<Action>;

/** What was done, in words; `otherwise`: what a newer server says that this app does not know. */
export function useActionWords(): (action: string, otherwise?: string) => string {
  const { t } = useTranslation("settings/audit-log");
  return (action, otherwise = action) => (isKnown(action) ? t(`actions.${keyOf(action)}`) : otherwise);
}
