import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Impact, Severity } from "../../api/incidents.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";

const impacts: readonly Impact[] = ["none", "minor", "major", "critical"];
/** As the API has it (server/src/incident/states.ts). */
const usual: Readonly<Record<Severity, Impact>> = {
  low: "minor",
  medium: "minor",
  high: "major",
  critical: "critical",
};

/** How bad visitors are told that it is; by its severity until somebody chooses. */
export function ImpactField({ severity, initial }: { severity: Severity; initial?: Impact | undefined }) {
  const { t } = useTranslation("incidents");
  const [chosen, setChosen] = useState(initial);
  return (
    <LabelledSelect
      name="impact"
      label={t("impact.label")}
      value={chosen ?? usual[severity]}
      options={impacts.map((one) => [one, t(`impact.${one}`)])}
      onChange={(next) => setChosen(next as Impact)}
    />
  );
}
