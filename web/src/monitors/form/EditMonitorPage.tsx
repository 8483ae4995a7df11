import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { monitorQuery } from "../../api/monitor.ts";
import { limitsQuery } from "../../api/monitor-settings.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { together, useFirst } from "../../components/readings.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { showToast } from "../../toasts.ts";
import type { FormOfKind } from "../descriptor.ts";
import { MonitorGone } from "../MonitorGone.tsx";
import { KindProvider, useKind, useKindFormTexts } from "../use-kind.ts";
import { FormPage, FormSkeleton } from "./FormPage.tsx";
import { MonitorForm } from "./MonitorForm.tsx";

/** Every setting of a monitor, to be changed. */
export function EditMonitorPage({ form }: { form: FormOfKind }) {
  return (
    <KindProvider value={form.kind}>
      <Page form={form} />
    </KindProvider>
  );
}

function Page({ form }: { form: FormOfKind }) {
  const { t } = useTranslation("monitors/form");
  const kind = useKind();
  const k = useKindFormTexts();
  const id = Number(useParams({ strict: false }).id);
  const navigate = useNavigate();
  const stored = useFirst(
    together({ detail: useQuery(monitorQuery(kind, id)), limits: useQuery(limitsQuery) }),
  );
  const name = stored.data?.detail.name ?? "";
  const title = name === "" ? k("editTitleUnnamed") : t("editTitle", { name });
  usePageTitle(title);
  return (
    <FormPage title={title} back={name === "" ? null : { id, name }}>
      <Loaded of={stored} failed={t("failed")} gone={<MonitorGone />} loading={<FormSkeleton />}>
        {(known) => (
          <MonitorForm
            focusFirst={false}
            key={id}
            form={form}
            variant={form.variants ? String(known.detail[form.variants.field as "name"]) : ""}
            {...known}
            onDone={(saved) => {
              if (saved) showToast("success", t("saved", { name: saved.name }));
              void navigate({ to: kind.pages.one, params: { id: String(id) }, replace: true });
            }}
          />
        )}
      </Loaded>
    </FormPage>
  );
}
