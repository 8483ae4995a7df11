import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentProps, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { limitsQuery, type MonitorLimits } from "../../api/monitor-settings.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { Notice } from "../../components/Notice.tsx";
import { useFirst } from "../../components/readings.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { Select } from "../../forms/Select.tsx";
import type { Typed } from "../../forms/typed.ts";
import { showToast } from "../../toasts.ts";
import type { FormOfKind } from "../descriptor.ts";
import { KindProvider, useKind, useKindFormTexts } from "../use-kind.ts";
import { FormPage, FormSkeleton } from "./FormPage.tsx";
import { MonitorForm, useFormText } from "./MonitorForm.tsx";

/** Everything about a monitor that is to be watched, before its first check. */
export function NewMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <Page form={form} />
    </KindProvider>
  );
}

function Page({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitors/form");
  const { pages } = useKind();
  const k = useKindFormTexts();
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const { field = "", names = [""], groups = {} } = form.variants ?? {};
  const [variant, setVariant] = useState(names[0] ?? "");
  const [isChosen, setChosen] = useState(false);
  const [typed, setTyped] = useState<Typed>({});
  const text = useFormText(form, variant);
  const limits = useFirst(useQuery(limitsQuery));
  usePageTitle(k("newTitle"));
  const optionsOf = (some: readonly string[]) =>
    some.map((name) => [name, text(`field.${field}.choice.${name}`) ?? name] as const);
  const grouped = Object.values(groups).flat();
  return (
    <FormPage title={k("newTitle")} back={null}>
      <Loaded of={limits} failed={t("failed")} loading={<FormSkeleton />}>
        {(allowed) => (
          <>
            <QuotaNotice limits={allowed} />
            {names.length > 1 && (
              <VariantChoice
                label={text(`field.${field}.label`) ?? field}
                options={optionsOf(names.filter((name) => !grouped.includes(name)))}
                groups={Object.entries(groups).map(([group, own]) => ({
                  label: text(`field.${field}.group.${group}`) ?? group,
                  options: optionsOf(own),
                }))}
                value={variant}
                onChange={(next) => {
                  setVariant(next);
                  setChosen(true);
                }}
              />
            )}
            <MonitorForm
              key={variant}
              form={form}
              variant={variant}
              detail={null}
              start={form.start?.(search)}
              limits={allowed}
              typed={typed}
              onTyped={setTyped}
              // Who goes through the choices by the keyboard stays there.
              focusFirst={!isChosen}
              onDone={(saved) => {
                if (!saved) return;
                showToast("success", t("created", { name: saved.name }));
                void navigate({ to: pages.one, params: { id: String(saved.id) }, replace: true });
              }}
            />
          </>
        )}
      </Loaded>
    </FormPage>
  );
}

interface VariantChoiceProps
  extends Pick<ComponentProps<typeof Select>, "value" | "options" | "groups" | "onChange"> {
  label: string;
}

/** Which of the forms it is. */
function VariantChoice({ label, ...rest }: VariantChoiceProps) {
  const id = useId();
  return (
    <div className="mb-4 grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <Select id={id} {...rest} />
    </div>
  );
}

/** Better before everything is filled in than after. */
function QuotaNotice({ limits: { plan, monitors, monitorsUsed } }: { limits: MonitorLimits }) {
  const { t } = useTranslation("monitors/form");
  if (monitors === null || monitorsUsed < monitors) return null;
  return (
    <div className="mb-4">
      <Notice tone="info">{t("remark.quota", { count: monitors, plan })}</Notice>
    </div>
  );
}
