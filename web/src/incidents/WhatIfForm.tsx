import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Explanation, explanationQuery, type OtherSettings } from "../api/incidents.ts";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { Select } from "../forms/Select.tsx";
import { formatCount } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";

type Outage = Explanation["outages"][number];

const mostInARow = 10;
const mostLocations = 10;
const namedOutcomes = 3;

/** What the same checks would have come to under other settings. */
export function WhatIfForm({ id, outages }: { id: number; outages: readonly Outage[] }) {
  const { t, i18n } = useTranslation("incidents");
  const [other, setOther] = useState<OtherSettings>({});
  const own = outages.find(({ confirmations }) => confirmations !== null);
  if (!own || outages.every(({ transitions }) => transitions.every(({ votes }) => votes.length === 0))) {
    return null;
  }
  const locations = Math.max(
    1,
    ...outages.flatMap((one) => one.transitions.map((each) => each.locationsHeard)),
  );
  const numbers = (most: number) =>
    Array.from({ length: most }, (_, index) => {
      const value = String(index + 1);
      return [value, formatCount(index + 1, i18n.language)] as const;
    });
  const choose = (name: keyof OtherSettings, usual: number | null) => (value: string) => {
    const { [name]: _, ...rest } = other;
    setOther(value === String(usual ?? "") ? rest : { ...rest, [name]: Number(value) });
  };
  return (
    <details className="border-t border-line pt-3">
      <summary className="w-fit cursor-pointer rounded-sm font-medium">{t("whatIf.title")}</summary>
      <p className="mt-2 text-sm text-pretty text-ink-muted">{t("whatIf.text")}</p>
      <div className="mt-3 grid gap-3 sm:grid-cols-3">
        <Choice
          label={t("whatIf.confirmations")}
          value={String(other.confirmations ?? own.confirmations ?? "")}
          options={numbers(mostInARow)}
          onChange={choose("confirmations", own.confirmations)}
        />
        <Choice
          label={t("whatIf.recoveries")}
          value={String(other.recoveries ?? own.recoveries ?? "")}
          options={numbers(mostInARow)}
          onChange={choose("recoveries", own.recoveries)}
        />
        <Choice
          label={t("whatIf.quorum")}
          value={String(other.quorum ?? "")}
          options={[["", t("whatIf.majority")], ...numbers(Math.min(locations, mostLocations))]}
          onChange={choose("quorum", null)}
        />
      </div>
      {Object.keys(other).length > 0 && <Outcome id={id} other={other} />}
    </details>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

function Choice({ label, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1 text-sm">
      <label htmlFor={id} className="text-ink-muted">
        {label}
      </label>
      <Select id={id} {...select} />
    </div>
  );
}

function Outcome({ id, other }: { id: number; other: OtherSettings }) {
  const { t } = useTranslation("incidents");
  const query = useQuery(explanationQuery(id, other));
  return (
    <div role="status" className="mt-3">
      <Loaded of={query} failed={t("why.failed")} loading={<Skeleton className="h-5 w-72" />}>
        {({ outages }) => <Outcomes of={outages} />}
      </Loaded>
    </div>
  );
}

/** What it would have come to: once for all of which the same can be said. */
function Outcomes({ of: outages }: { of: readonly Outage[] }) {
  const { t } = useTranslation("incidents");
  const said = ({ whatIf }: Outage) =>
    whatIf === null
      ? t("whatIf.unknown")
      : whatIf.sentences.map(({ message, fact }) => translateMessage(message, fact)).join(" ");
  const groups = [...Map.groupBy(outages, said)];
  const rows = groups.map(([sentences, own]) => {
    const more = own.length - namedOutcomes;
    const names = own.slice(0, namedOutcomes).map(({ name }) => name);
    return (
      <li key={sentences} className="text-pretty wrap-anywhere">
        {groups.length > 1 && (
          <span className="block font-medium">
            {names.join(", ")} {more > 0 && t("affected.heldBackMore", { count: more })}
          </span>
        )}
        {sentences}
      </li>
    );
  });
  return (
    <>
      <ul className="grid gap-1.5">{rows}</ul>
      {groups.length === 1 && outages.length > 1 && (
        <p className="mt-1 text-sm text-ink-muted">{t("whatIf.all", { count: outages.length })}</p>
      )}
    </>
  );
}
