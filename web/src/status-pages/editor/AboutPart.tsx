import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Field, TextArea } from "../../components/Field.tsx";
import { focusPage } from "../../components/focus.ts";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { DeletePageDialog } from "../DeletePageDialog.tsx";
import { SlugField } from "../SlugField.tsx";
import { draftSwitches, type PartProps } from "./page-draft.ts";

const zonesWith = (chosen: string): string[] => {
  const known = Intl.supportedValuesOf("timeZone");
  // Names change with the years, and a browser may know one by another.
  return ["UTC", ...(known.includes(chosen) || chosen === "UTC" ? known : [chosen, ...known])];
};

/** What a page is called, where it is, and what it says above everything else. */
export function AboutPart({ page, draft, errors, onChange }: PartProps) {
  const { t } = useTranslation("status-pages/editor");
  const change = (more: Partial<typeof draft>) => onChange({ ...draft, ...more });
  return (
    <>
      <Section title={t("part.about")}>
        <div className="grid gap-5 px-4 pb-5">
          <Field
            label={t("about.name")}
            value={draft.name}
            errors={errors["name"]}
            maxLength={255}
            autoComplete="off"
            onChange={({ target }) => change({ name: target.value })}
          />
          <SlugField
            slug={draft.slug}
            isOwn={draft.slug === page.slug}
            isMoving={draft.slug !== page.slug}
            pageUuid={page.uuid}
            errors={errors["slug"]}
            onChange={(slug) => change({ slug })}
          />
          <TextArea
            label={t("about.description")}
            hint={t("about.descriptionHint")}
            rows={3}
            maxLength={2_000}
            value={draft.description}
            errors={errors["description"]}
            onChange={({ target }) => change({ description: target.value })}
          />
          <LabelledSelect
            label={t("about.timeZone")}
            value={draft.timeZone}
            errors={errors["timeZone"]}
            options={zonesWith(draft.timeZone).map((zone) => [zone, zone.replaceAll("_", " ")])}
            onChange={(timeZone) => change({ timeZone })}
          />
          {draftSwitches.map((name) => (
            <div key={name} className="grid gap-1">
              <Tick type="checkbox" checked={draft[name]} onChange={(isOn) => change({ [name]: isOn })}>
                <span className="text-sm font-medium">{t(`about.${name}`)}</span>
              </Tick>
              <p className="pl-6.5 text-sm text-pretty text-ink-faint">{t(`about.${name}Hint`)}</p>
            </div>
          ))}
        </div>
      </Section>
      <DeleteSection page={page} />
    </>
  );
}

function DeleteSection({ page }: Pick<PartProps, "page">) {
  const { t } = useTranslation("status-pages/editor");
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const leave = () => void navigate({ to: "/status-pages", ignoreBlocker: true }).then(focusPage);
  return (
    <Section title={t("end.title")}>
      <div className="grid gap-3 px-4 pb-4">
        <p className="text-sm text-pretty text-ink-muted">{t("end.text")}</p>
        <Button variant="danger" className="w-fit" onClick={() => setConfirming(true)}>
          {t("end.delete")}
        </Button>
      </div>
      {isConfirming && <DeletePageDialog page={page} onDone={() => setConfirming(false)} onDeleted={leave} />}
    </Section>
  );
}
