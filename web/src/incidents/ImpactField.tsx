import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPACT_OF_SEVERITY, IMPACTS } from "../../../server/src/incident/states.ts";
import type { Impact, Severity } from "../api/incidents.ts";
import { LabelledSelect } from "../forms/LabelledSelect.tsx";

/** How bad visitors are told that it is; by its severity until somebody chooses. */
export function ImpactField({ severity, initial }: { severity: Severity; initial?: Impact | undefined }) {
  const { t } = useTranslation("incidents");
  const [chosen, setChosen] = useState(initial);
  return (
    <LabelledSelect
      name="impact"
      label={t("impact.label")}
      value={chosen ?? IMPACT_OF_SEVERITY[severity]}
      options={IMPACTS.map((one) => [one, t(`impact.${one}`)])}
      onChange={(next) => setChosen(next as Impact)}
    />
  );
}
